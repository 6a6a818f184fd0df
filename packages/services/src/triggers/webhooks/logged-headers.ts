import { jsonb } from '@svc/db'

/** Headers that prove who a sender is. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-svc-token',
  'x-api-key',
  'x-gitlab-token',
])

const maxBytes = 16 * 1024

/** The headers that the delivery log keeps: all of a usual request, and no secret. */
export function loggedHeaders(headers: Iterable<[name: string, value: string]>): string {
  const kept: Record<string, string> = {}
  let bytes = 0
  for (const [name, value] of headers) {
    bytes += name.length + value.length
    if (bytes > maxBytes) break
    kept[name] = secretHeaders.has(name) ? '[redacted]' : value
  }
  return jsonb(kept)
}
