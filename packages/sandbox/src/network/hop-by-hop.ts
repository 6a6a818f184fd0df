import type { IncomingHttpHeaders } from 'node:http'

/** Headers of one connection alone (RFC 9110, 7.6.1). Transfer-Encoding stays: it says that there is a body. */
export const hopByHop: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]

/** The headers that a proxy passes on: none of the connection that they came by. */
export function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...hopByHop, ...named.filter((name) => name !== 'transfer-encoding')])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}
