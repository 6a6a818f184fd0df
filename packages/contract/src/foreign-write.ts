import type { IncomingHttpHeaders } from 'node:http'

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True when a page of another origin sends this to change something: a WebSocket writes as well. Browsers say where a
 * request comes from; programs say nothing, and have to know the name of the host.
 */
export function isForeignWrite(
  {
    method = 'GET',
    headers,
  }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  own: string,
): boolean {
  if (reading.has(method) && headers.upgrade === undefined) return false
  const site = headers['sec-fetch-site']
  // A form of a page that tells no referrer has the origin `null`, and yet is its own.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return headers.origin !== undefined && headers.origin !== own
}
