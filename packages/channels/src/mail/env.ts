import { z } from 'zod'
import type { MailRoute } from './parts.ts'

/** Mail as a way in, of each process that connects channels or works for them. */
export const channelMailEnv = {
  SVC_CHANNEL_MAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain, in small letters')
    .optional()
    .describe('the domain of the addresses of channels, whose mails a mail server hands over by LMTP'),
  SVC_CHANNEL_MAIL_AUTHSERV: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, 'must be the authserv-id of a mail server')
    .optional()
    .describe('the mail server whose Authentication-Results say who sent a mail, by its authserv-id'),
} as const

/** The host and the port on which mails are taken. */
const lmtpAddress = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/, 'must be host:port')
  .transform((text) => {
    const at = text.lastIndexOf(':')
    return { host: text.slice(0, at).replaceAll(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
  })
  .optional()
  .describe('the host:port on which a channel-worker takes mails from the mail server by LMTP')

/** Of the processes that take mails. */
export const channelLmtpEnv = { ...channelMailEnv, SVC_CHANNEL_LMTP: lmtpAddress } as const

export interface ChannelMailSettings {
  readonly SVC_CHANNEL_MAIL_DOMAIN?: string | undefined
  readonly SVC_CHANNEL_MAIL_AUTHSERV?: string | undefined
}

/** Mail as a channel of this deployment has it. */
export const mailRoute = (env: ChannelMailSettings, way: MailRoute['way']): MailRoute => ({
  way,
  domain: env.SVC_CHANNEL_MAIL_DOMAIN,
  authserv: env.SVC_CHANNEL_MAIL_AUTHSERV,
})

/** A refinement of settings: addresses have a domain. */
export const lmtpHasDomain: [
  (env: { readonly SVC_CHANNEL_LMTP?: unknown } & ChannelMailSettings) => boolean,
  { path: string[]; message: string },
] = [
  (env) => env.SVC_CHANNEL_LMTP === undefined || env.SVC_CHANNEL_MAIL_DOMAIN !== undefined,
  { path: ['SVC_CHANNEL_MAIL_DOMAIN'], message: 'is needed with SVC_CHANNEL_LMTP' },
]
