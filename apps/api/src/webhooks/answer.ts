import type { ServerResponse } from 'node:http'
import type { Logger } from '@svc/boot'
import { statusOf } from '@svc/errors'
import { crossOriginHeaders } from '../middleware/cross-origin.ts'
import { defect } from '../middleware/errors.ts'
import { refusalOf } from '../middleware/refusal.ts'
import { requestIdHeader } from '../middleware/request-id.ts'
import { bodyOf } from '../rate-limit/body.ts'
import { type RateHeaders, retryHeaders } from '../rate-limit/headers.ts'

export interface Answer {
  readonly status: number
  readonly body: object
  /** Beside those of every answer, in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** What an error tells the sender; the same as the framework's renderer says. */
export function refusedAnswer(error: unknown, log: () => Logger): Answer {
  const refusal = refusalOf(error)
  if (refusal === null) {
    log().error({ err: error }, 'a request failed')
    return { status: 500, body: defect, headers: {} }
  }
  const { code, cause } = refusal
  if (cause !== undefined) log().warn({ err: cause, code }, 'a request was refused')
  const status = statusOf(code)
  const headers = {
    ...lowerCased(retryHeaders(refusal)),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return { status, body: bodyOf(refusal), headers }
}

export function lowerCased(headers: RateHeaders): RateHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** In order already. */
const always = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
} as const

/** `cross_origin` when a page of another origin may be told. */
export function writeAnswer(
  res: ServerResponse,
  request_id: string,
  { status, body, headers }: Answer,
  cross_origin: boolean,
): void {
  const text = JSON.stringify(body)
  const own = cross_origin ? { ...crossOriginHeaders, ...headers } : headers
  const named = { ...always, ...own, [requestIdHeader]: request_id }
  const ordered = Object.keys(own).length === 0 ? named : inOrder(named)
  res.writeHead(status, { ...ordered, 'Content-Length': Buffer.byteLength(text) })
  res.end(text)
}

/** By name, as the framework writes them. */
function inOrder(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)))
}
