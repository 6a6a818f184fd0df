import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '@svc/facts'

const policyHeader = 'content-security-policy'

/** The pages that may show a preview in a frame, whatever its program says of that: its own, and the dashboard. */
export function frameAncestors(api_url: string): string {
  const { protocol, hostname, port, origin } = new URL(api_url)
  const loopback = ['127.0.0.1', 'localhost'].map(
    (name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`,
  )
  const origins = isLoopback(hostname) ? new Set([...loopback, origin]) : [origin]
  return `frame-ancestors 'self' ${[...origins].join(' ')}`
}

/** The rest of the policies that a program sets holds as it is. */
export function allowFrames(headers: IncomingHttpHeaders, ancestors: string): void {
  delete headers['x-frame-options']
  const kept = String(headers[policyHeader] ?? '')
    .split(',')
    .map((policy) =>
      policy
        .split(';')
        .filter((part) => !/^\s*frame-ancestors(\s|$)/i.test(part))
        .join(';')
        .trim(),
    )
    .filter((policy) => policy !== '')
  headers[policyHeader] = [...kept, ancestors].join(', ')
}
