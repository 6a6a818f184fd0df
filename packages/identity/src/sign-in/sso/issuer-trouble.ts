import { RefusedTarget } from '@svc/outbound'
import type { IssuerTrouble } from './issuer.ts'

const unreachable =
  /^(ENOTFOUND|EAI_\w+|ECONN\w+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|TimeoutError|AbortError|ABORT_ERR)$/
const certificate = /^(CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|HOSTNAME_MISMATCH)$/

/** The trouble in the way of an answer, found in the error or in its causes. */
export function issuerTrouble(error: unknown): Exclude<IssuerTrouble, 'malformed'> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof RefusedTarget) return 'private_address'
    const names = [at.name, 'code' in at ? String(at.code) : '']
    if (names.some((name) => certificate.test(name))) return 'untrusted_certificate'
    if (names.some((name) => unreachable.test(name))) return 'unreachable'
    if (names.includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) return 'issuer_mismatch'
  }
  return 'not_openid'
}
