import { type ChannelPlatform, ChannelRefused } from '@svc/channel'
import { slackChannel, slackSocket } from '@svc/slack'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { ChannelPlatforms, Connected } from './context.ts'

const Slack = z.object({
  credentials: z.object({
    bot_token: z.string(),
    signing_secret: z.string().optional(),
    app_token: z.string().optional(),
  }),
  settings: z.object({ api_url: z.string().optional(), transport: z.enum(['events', 'socket']).optional() }),
})

export const slackParts = ({ credentials, settings }: Connected) => Slack.parse({ credentials, settings })

/** The platforms, over connections to addresses that were checked. */
export function channelPlatforms(wire: Dispatcher): ChannelPlatforms {
  return {
    open: (platform, connected) => {
      if (platform !== 'chat_a') throw notReached(platform)
      const { credentials, settings } = slackParts(connected)
      return slackChannel({
        bot_token: credentials.bot_token,
        api_url: settings.api_url,
        wire,
        ...(connected.identity ? { identity: connected.identity } : {}),
      })
    },
    stream: (platform, connected) => {
      if (platform !== 'chat_a' || !connected.identity) return null
      const { credentials, settings } = slackParts(connected)
      if (credentials.app_token === undefined) return null
      return slackSocket({
        app_token: credentials.app_token,
        api_url: settings.api_url,
        wire,
        bot: { user_id: connected.identity.user_id },
      })
    },
  }
}

const notReached = (platform: ChannelPlatform): ChannelRefused =>
  platform === 'email'
    ? new ChannelRefused('no_mail_route', 'This deployment has no route for mails that come in')
    : new ChannelRefused('unreachable', 'This release does not reach Matrix yet; connect Slack (chat_a)')
