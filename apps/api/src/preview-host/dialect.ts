import type { IncomingMessage } from 'node:http'
import { type Dialect, json } from '../door/dialects.ts'

/** The headers of every answer on a preview host that the platform gives by itself. */
export const ownHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** A refusal: words for a person who looks at it, the body of every other refusal for a program. No bearer token is of use here. */
export function previewDialect({ headers }: Pick<IncomingMessage, 'headers'>, ancestors: string): Dialect {
  const own = { ...ownHeaders, 'content-security-policy': `default-src 'none'; ${ancestors}` }
  if (!(headers.accept ?? '').includes('text/html'))
    return { ...json, challenge: null, headers: { ...json.headers, ...own } }
  return {
    headers: { 'content-type': 'text/plain; charset=utf-8', ...own },
    challenge: null,
    refusal: ({ message }) => `${message}.\n`,
    defect: 'This preview cannot be shown; report it with the X-Request-Id of the answer.\n',
  }
}
