import type { Reason } from '@svc/connector'

/** Codes of errors of a connection that never stood, so that no request went over it. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])
/** Certificates that were refused by either side, keys that cannot be read, and a port that speaks no TLS. */
const ofHandshake =
  /^(?:ERR_TLS_CERT|ERR_OSSL_|CERT_|UNABLE_TO_|CRL_|ERR_SSL_.*(?:CERTIFICATE|UNKNOWN_CA|HANDSHAKE|VERSION|UNRECOGNIZED_NAME|CIPHER))/

export interface Trouble {
  readonly reason: Reason
  readonly message: string
  /** Whether the service may have acted on it. */
  readonly sent: boolean
}

/**
 * The reason of a request that got no answer. `begun` says that the first byte may have left; an error that only a
 * connection which never stood can have says that it did not.
 */
export function troubleOf(
  error: unknown,
  { host, begun, signal }: { readonly host: string; readonly begun: boolean; readonly signal: AbortSignal },
): Trouble {
  const codes = codesOf(error)
  const code = codes[0]
  if (codes.includes('address_not_allowed'))
    return {
      reason: 'address_not_allowed',
      message: `${host} is not asked: only public addresses with https are, or those that the operator lists in SVC_OUTBOUND_ADDRESSES. Change the connector's address.`,
      sent: false,
    }
  if (codes.some((each) => neverConnected.has(each) || ofHandshake.test(each)))
    return {
      reason: 'upstream_unreachable',
      message: `${host} cannot be reached (${code}); nothing was sent. Check the connector's address and certificates, then try again.`,
      sent: false,
    }
  if (error instanceof TypeError && error.cause === undefined)
    return {
      reason: 'invalid_arguments',
      message: `No request to ${host} can be made of this (${error.message}); nothing was sent. Correct the arguments.`,
      sent: false,
    }
  if (begun)
    return {
      reason: 'outcome_unknown',
      message: `${host} gave no answer${signal.aborted ? ' in time' : code === undefined ? '' : ` (${code})`}: it may have acted. Look there before you repeat the call.`,
      sent: true,
    }
  if (signal.aborted)
    return {
      reason: 'upstream_timeout',
      message: `The time for ${host} ran out before the call was sent; nothing happened. Try again.`,
      sent: false,
    }
  return {
    reason: 'upstream_unreachable',
    message: `${host} gave no answer${code === undefined ? '' : ` (${code})`}; nothing was sent. Try again.`,
    sent: false,
  }
}

/** Codes of the error and of what caused it, the innermost first. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 8) return []
  const { cause, errors, code }: { cause?: unknown; errors?: unknown; code?: unknown } = error
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])].flatMap((each) => codesOf(each, depth + 1))
  return typeof code === 'string' ? [...inner, code] : inner
}
