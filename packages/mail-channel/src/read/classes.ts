import type { InboundMessage } from '@svc/channel'
import { mailLimits } from '../limits.ts'
import type { MailHeaders } from './headers.ts'

/** The header that each mail of ours has. */
export const ownHeader = 'X-Svc-Channel'

interface Seen {
  readonly headers: MailHeaders
  /** Of the envelope; empty for a report of a mail server, null where it is not known. */
  readonly return_path: string | null
  readonly is_own: boolean
  /** Of the channel. */
  readonly address: string
}

/** The reason for which a mail is not for an agent: answers of machines, lists, reports, and what comes round in a circle. */
export function reasonToSkip({ headers, return_path, is_own, address }: Seen): InboundMessage['skip'] {
  if (is_own) return 'bot'
  const inCircle = headers.all('x-loop').some((value) => value.toLowerCase().includes(address))
  if (headers.first(ownHeader.toLowerCase()) !== null || inCircle) return 'loop'
  if (headers.all('received').length > mailLimits.received) return 'loop'
  if (return_path === '' || /^multipart\/report\b/.test(headers.word('content-type') ?? '')) return 'bounce'
  const precedence = headers.word('precedence')
  if (headers.first('list-id') !== null || precedence === 'list') return 'list'
  const [submitted = 'no'] = (headers.word('auto-submitted') ?? 'no').split(';')
  const isAutomatic =
    submitted.trim() !== 'no' ||
    precedence === 'bulk' ||
    precedence === 'junk' ||
    headers.first('x-autoreply') !== null ||
    headers.first('x-autorespond') !== null
  return isAutomatic ? 'automatic' : null
}
