import { type ChannelPlatform, ChannelRefused } from '@svc/channel'
import { guardedAgent } from '@svc/outbound'
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

export interface OpenPlatforms {
  readonly platforms: ChannelPlatforms
  close(): Promise<void>
}

/** The platforms, by connections of their own: to public addresses and to those that the operator opened. */
export function openChannelPlatforms(open: readonly string[] = []): OpenPlatforms {
  const wire = guardedAgent({ open }, { connect_ms: 10_000, headers_ms: 30_000, body_ms: 30_000 })
  return { platforms: channelPlatforms(wire), close: () => wire.destroy() }
}

/** A process that reaches none. */
export const noChannelPlatforms: ChannelPlatforms = {
  open: () => {
    throw new ChannelRefused('unreachable', 'This process reaches no platform of channels')
  },
  stream: () => null,
}

function channelPlatforms(wire: Dispatcher): ChannelPlatforms {
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
