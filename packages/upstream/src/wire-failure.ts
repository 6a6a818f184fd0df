import type { Reason } from '@svc/connector'
import { UpstreamRefusal } from './shapes.ts'

export interface WireFailure {
  readonly reason: Reason
  readonly message: string
  /** Whether bytes of the request may have reached the service. */
  readonly sent: boolean
}

/** Codes of a connection that was not made: nothing was sent on it. */
const unconnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|DEPTH_ZERO_\w+)$/
const refusals: readonly Reason[] = [
  'address_not_allowed',
  'redirect_refused',
  'response_too_large',
  'upstream_unreachable',
  'upstream_timeout',
]

/** The end of a request for which the wire threw `error`. A reason that the error carries as its `code` is kept. */
export function wireFailure(error: unknown): WireFailure {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    if (cause instanceof UpstreamRefusal) return refused(cause.reason, cause.message)
    const reason = refusals.find((known) => known === code)
    if (reason !== undefined) return refused(reason, cause.message)
    if (code !== undefined && unconnected.test(code))
      return {
        reason: 'upstream_unreachable',
        message: `The service cannot be reached (${code})`,
        sent: false,
      }
  }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { reason: 'upstream_timeout', message: 'The service did not answer in time', sent: true }
  const why = error instanceof Error ? error.message : String(error)
  return {
    reason: 'upstream_unreachable',
    message: `The connection to the service broke: ${why}`,
    sent: true,
  }
}

const unsent: readonly Reason[] = ['address_not_allowed', 'upstream_unreachable', 'upstream_timeout']
const refused = (reason: Reason, message: string): WireFailure => ({
  reason,
  message,
  sent: !unsent.includes(reason),
})

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

function* causesOf(error: unknown): Generator<Error> {
  let next = error
  for (let depth = 0; next instanceof Error && depth < 8; depth++) {
    yield next
    if (next instanceof AggregateError) yield* next.errors.filter((one) => one instanceof Error)
    next = next.cause
  }
}
