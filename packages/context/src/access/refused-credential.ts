import type { Principal } from '@svc/access'
import { type ErrorCode, ServiceError } from '@svc/errors'

/** A refusal of a known credential: the audit log names its principal. */
export class RefusedCredential extends ServiceError {
  readonly principal: Principal

  constructor(code: ErrorCode, message: string, principal: Principal) {
    super(code, message)
    this.principal = principal
  }
}

/** The refusal of a credential that was valid once and never will be again. */
export function revoked(principal: Principal): RefusedCredential {
  const message =
    'This credential was revoked, has expired or belongs to a closed session; it never works again, so sign in or make another'
  return new RefusedCredential('session_token_revoked', message, principal)
}
