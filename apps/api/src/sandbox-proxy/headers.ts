import type { IncomingHttpHeaders } from 'node:http'
import { userContextHeader } from '@svc/contract'
import { confineDocument, dropPlatformCookies } from '@svc/contract/preview'
import { hopByHop } from '@svc/sandbox'

/** A sandbox must never see the caller's token, and believes the forwarded headers because only we set them. */
const ours = [
  'authorization',
  userContextHeader,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'forwarded',
]

export interface UpstreamIdentity {
  readonly request_id: string
  readonly user_context: string
  readonly upgrade?: boolean
}

/** Changes a request's headers into those that the sandbox gets: nothing by which the platform would know the caller. */
export function prepareRequestHeaders(headers: IncomingHttpHeaders, identity: UpstreamIdentity): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const keep = new Set([
    'transfer-encoding',
    'content-length',
    'host',
    ...(identity.upgrade ? ['connection', 'upgrade'] : []),
  ])
  for (const name of [...named, ...hopByHop, ...ours]) if (!keep.has(name)) delete headers[name]
  dropPlatformCookies(headers)
  if (identity.upgrade) headers.connection = 'Upgrade'
  headers[userContextHeader] = identity.user_context
  headers['x-request-id'] = identity.request_id
}

/**
 * Headers that a page of a sandbox could use against the origin that it is served from, and those that the platform
 * sets itself.
 */
const refusedFromSandbox = [
  'alt-svc',
  'clear-site-data',
  'nel',
  'report-to',
  'service-worker-allowed',
  'strict-transport-security',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

/** Changes an answer's headers into those that the caller gets, on whatever origin. */
export function prepareResponseHeaders(headers: IncomingHttpHeaders, keep_alive: boolean): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  for (const name of [...named, ...hopByHop]) if (name !== 'transfer-encoding') delete headers[name]
  prepareUpgradeHeaders(headers)
  headers.connection = keep_alive ? 'keep-alive' : 'close'
}

/** The same on the platform's own origin. */
export function confineResponseHeaders(headers: IncomingHttpHeaders, keep_alive: boolean): void {
  prepareResponseHeaders(headers, keep_alive)
  confineDocument(headers)
}

/** The answer to an upgrade keeps the headers that make it one. */
export function prepareUpgradeHeaders(headers: IncomingHttpHeaders): void {
  for (const name of refusedFromSandbox) delete headers[name]
  dropPlatformCookies(headers)
}
