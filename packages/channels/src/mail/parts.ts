import { ChannelRefused } from '@svc/channel'
import { type MailAddress, type mailChannel, readRecipient } from '@svc/mail-channel'
import { allowedAddresses, type OutboundRules } from '@svc/outbound'
import { z } from 'zod'
import type { Connected } from '../context.ts'

type MailOptions = Parameters<typeof mailChannel>[0]

/** Mail in a deployment. */
export interface MailRoute {
  /** The way out; undefined where it sends none. */
  readonly way?: MailOptions['way']
  /** The part behind the `@` of addresses that it hands over by LMTP. */
  readonly domain?: string | undefined
  /** The server whose word on senders counts. */
  readonly authserv?: string | undefined
}

const Mail = z.object({
  credentials: z.object({
    imap: z.object({ host: z.string(), port: z.number(), user: z.string(), password: z.string() }).optional(),
  }),
  settings: z.object({
    local: z.string().optional(),
    address: z.string().optional(),
    authserv_id: z.string().optional(),
  }),
})

/** A channel of mail with what the deployment has for it. Throws `ChannelRefused` where no mail can reach it. */
export function mailParts(connected: Connected, route: MailRoute, rules: OutboundRules): MailOptions {
  const { credentials, settings } = Mail.parse({ ...connected })
  const { imap } = credentials
  const { name = 'svc', correspondence } = connected
  return {
    address:
      imap === undefined ? ownAddress(settings.local, route) : boxAddress(settings.address ?? imap.user),
    ...{ name, way: route.way, authserv_id: settings.authserv_id ?? route.authserv, correspondence },
    mailbox: imap && { ...imap, addresses: (host, wish) => allowedAddresses(host, wish, rules) },
  }
}

function ownAddress(local: string | undefined, { domain }: MailRoute): MailAddress {
  if (domain === undefined || local === undefined)
    throw new ChannelRefused(
      'no_mail_route',
      'This deployment has no domain for mails that come in; give a mailbox with credentials.imap, or have the operator set SVC_CHANNEL_MAIL_DOMAIN',
    )
  return { local, domain }
}

function boxAddress(text: string): MailAddress {
  const { local, domain, token_hash } = readRecipient(text) ?? { local: '', domain: '', token_hash: null }
  if (local === '' || token_hash !== null)
    throw new ChannelRefused(
      'no_mail_route',
      `${text} is no mail address; give that of the mailbox as settings.address`,
    )
  return { local, domain }
}
