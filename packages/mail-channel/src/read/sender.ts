import { domainToASCII } from 'node:url'
import type { ParsedMail } from 'mailparser'
import { isAuthenticated, resultsOf } from './authentication.ts'
import type { MailHeaders } from './headers.ts'

export interface MailSender {
  /** In small letters; null where the mail does not name just one writer. */
  readonly address: string | null
  readonly domain: string
  /** The receiving server vouches for the domain. */
  readonly authenticated: boolean
}

/** The writer, as far as the receiving server vouches for them. */
export function senderOf(
  { from }: Pick<ParsedMail, 'from'>,
  headers: MailHeaders,
  authserv_id: string,
): MailSender {
  const [one, ...more] = from?.value ?? []
  const isOne = headers.all('from').length === 1 && one?.group === undefined && more.length === 0
  const address = isOne ? plain(one?.address) : null
  if (address === null) return { address, domain: '', authenticated: false }
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const results = resultsOf(headers.all('authentication-results'), authserv_id)
  return { address, domain, authenticated: isAuthenticated(results, domain) }
}

/** An address as rows have it; null for what is none, or is longer than any is. */
export function plain(text = ''): string | null {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), domainToASCII(text.slice(at + 1).toLowerCase())]
  const isPlain =
    at > 0 && at <= 64 && domain !== '' && domain.length <= 253 && !/[\s<>@,;:"\\()\p{Cc}]/u.test(local)
  return isPlain ? `${local.toLowerCase()}@${domain}` : null
}
