import type { Principal } from '@svc/access'
import { ServiceError } from '@svc/errors'

/** The account's rule that this sign-in breaks; null for a sign-in that is let in, and for every minted token. */
export function missedRule(principal: Principal, account_id: string): ServiceError | null {
  if (principal.type !== 'user') return null
  const { mfa_needed_by = [], sso_needed_by = [] } = principal.sign_in ?? principal.oauth ?? {}
  if (sso_needed_by.includes(account_id)) {
    const message = 'This account asks people of your address for its single sign-on; sign in that way'
    return new ServiceError('account_sso_required', message)
  }
  if (mfa_needed_by.includes(account_id)) {
    const message =
      'This account asks for two-factor, and this sign-in lacked it; turn it on and sign in with it'
    return new ServiceError('account_mfa_required', message)
  }
  return null
}
