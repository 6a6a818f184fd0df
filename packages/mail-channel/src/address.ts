import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'

/** The address of a channel. */
export interface MailAddress {
  readonly local: string
  readonly domain: string
}

export const mailAddress = ({ local, domain }: MailAddress, token: string | null = null): string =>
  `${local}${token === null ? '' : `+${token}`}@${domain}`

export interface Recipient extends MailAddress {
  /** Of the token behind the plus, by which a thread is found. */
  readonly token_hash: string | null
}

const shape = /^([^@+\s<>"(),:;\\]+)(?:\+([0-9a-f]{32}))?@([^@\s]+)$/

/** An address of a channel, taken apart; null for another text. */
export function readRecipient(address: string): Recipient | null {
  const [, local, token, host] = shape.exec(address.toLowerCase()) ?? []
  const domain = domainToASCII(host ?? '')
  if (local === undefined || domain === '') return null
  return { local, domain, token_hash: token === undefined ? null : hashOf(token) }
}

/** A token is found by this, and is not known from it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Names by which others know the operator of a mail domain, also those that issue certificates for it. */
export const reservedLocals: ReadonlySet<string> = new Set([
  ...['abuse', 'admin', 'administrator', 'hostmaster', 'info', 'mailer-daemon', 'no-reply', 'noreply'],
  ...['postmaster', 'root', 'security', 'support', 'webmaster'],
])
