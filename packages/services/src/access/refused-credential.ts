import type { Principal } from '@svc/access'
import { type ErrorCode, ServiceError } from '@svc/errors'

/** A refusal of a credential that is known: the log is told whose it is. */
export class RefusedCredential extends ServiceError {
  readonly principal: Principal

  constructor(code: ErrorCode, message: string, principal: Principal) {
    super(code, message)
    this.principal = principal
  }
}

/** For a credential that was one, and never is again. */
export function revoked(principal: Principal): RefusedCredential {
  const message = 'This credential was revoked, has expired or belongs to a closed session'
  return new RefusedCredential('session_token_revoked', message, principal)
}
