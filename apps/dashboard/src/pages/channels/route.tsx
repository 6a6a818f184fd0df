import { deliveryVerdicts, type DeliveryVerdict } from '@svc/channel/states'
import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'
import { type ChatPlatform, chatPlatforms } from './chat-platforms.ts'

export const channelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'channels',
  component: lazyPage(() => import('./channels-page.tsx'), 'ChannelsPage'),
})

interface NewChannelSearch {
  /** Of one that is connected anew. */
  readonly slug?: string | undefined
  /** Slack, unless it is given. */
  readonly platform?: ChatPlatform | undefined
}

export const newChannelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'channels/new',
  validateSearch: (search: Record<string, unknown>): NewChannelSearch => ({
    ...textsOf(search, 'slug'),
    platform: oneOf(chatPlatforms, search['platform']),
  }),
  component: lazyPage(() => import('./connect/new-channel-page.tsx'), 'NewChannelPage'),
})

const channelTabs = ['threads', 'received', 'sent', 'people', 'settings', 'setup'] as const

interface ChannelSearch {
  readonly tab?: (typeof channelTabs)[number] | undefined
  /** Of what it received. */
  readonly verdict?: DeliveryVerdict | undefined
}

export const channelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'channels/$slug',
  validateSearch: (search: Record<string, unknown>): ChannelSearch => ({
    tab: oneOf(channelTabs, search['tab']),
    verdict: oneOf(deliveryVerdicts, search['verdict']),
  }),
  component: lazyPage(() => import('./channel-page.tsx'), 'ChannelPage'),
})

export const projectRoutes = [channelsRoute, newChannelRoute, channelRoute] as const
