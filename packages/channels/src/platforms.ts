import { ChannelRefused } from '@svc/channel'
import { mailboxStream, mailChannel } from '@svc/mail-channel'
import { matrixChannel, matrixStream } from '@svc/matrix'
import { guardedAgent, type OutboundRules } from '@svc/outbound'
import { slackChannel, slackSocket } from '@svc/slack'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { ChannelPlatforms, Connected } from './context.ts'
import { mailParts, type MailRoute } from './mail/parts.ts'

const Slack = z.object({
  credentials: z.object({
    bot_token: z.string(),
    signing_secret: z.string().optional(),
    app_token: z.string().optional(),
  }),
  settings: z.object({ api_url: z.string().optional(), transport: z.enum(['events', 'socket']).optional() }),
})

export const slackParts = ({ credentials, settings }: Connected) => Slack.parse({ credentials, settings })

const Matrix = z.object({
  credentials: z.object({ access_token: z.string() }),
  settings: z.object({ homeserver_url: z.string() }),
})

function matrixParts({ credentials, settings }: Connected) {
  const parts = Matrix.parse({ credentials, settings })
  return { ...parts.credentials, ...parts.settings }
}

export interface OpenPlatforms {
  readonly platforms: ChannelPlatforms
  close(): Promise<void>
}

/** The platforms, by connections of their own, over which one may push after half a minute of silence: to public addresses and to those that the operator opened. */
export function openChannelPlatforms(open: readonly string[] = [], mail: MailRoute = {}): OpenPlatforms {
  const rules = { open }
  const wire = guardedAgent(rules, { connect_ms: 10_000, headers_ms: 60_000, body_ms: 60_000 })
  return { platforms: channelPlatforms(wire, rules, mail), close: () => wire.destroy() }
}

/** A process that reaches none. */
export const noChannelPlatforms: ChannelPlatforms = {
  open: () => {
    throw new ChannelRefused('unreachable', 'This process reaches no platform of channels')
  },
  stream: () => null,
}

function channelPlatforms(wire: Dispatcher, rules: OutboundRules, mail: MailRoute): ChannelPlatforms {
  return {
    open: (platform, connected) => {
      const known = { wire, ...(connected.identity ? { identity: connected.identity } : {}) }
      switch (platform) {
        case 'chat_a': {
          const { credentials, settings } = slackParts(connected)
          const { bot_token, app_token } = credentials
          return slackChannel({ bot_token, app_token, api_url: settings.api_url, ...known })
        }
        case 'chat_b':
          return matrixChannel({ ...matrixParts(connected), ...known })
        case 'email':
          return mailChannel(mailParts(connected, mail, rules))
      }
    },
    stream: (platform, { identity, cursor, keep_cursor, ...connected }) => {
      if (!identity) return null
      if (platform === 'chat_b')
        return matrixStream({ ...matrixParts(connected), wire, bot: identity, cursor, keep_cursor })
      if (platform === 'email') {
        const parts = mailParts({ identity, ...connected }, mail, rules)
        const { mailbox, authserv_id } = parts
        if (mailbox === undefined || authserv_id === undefined) return null
        return mailboxStream({ mailbox, authserv_id, address: identity.user_id, cursor, keep_cursor })
      }
      const { credentials, settings } = slackParts(connected)
      if (credentials.app_token === undefined) return null
      return slackSocket({
        app_token: credentials.app_token,
        api_url: settings.api_url,
        wire,
        bot: { user_id: identity.user_id },
      })
    },
  }
}
