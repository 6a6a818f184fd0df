import type { UserPrincipal } from '@svc/access'
import type { signIns } from '@svc/db'
import type { BaseContext } from '../context.ts'
import { revoked } from './refused-credential.ts'

type SignIn = Omit<signIns.FoundSignIn, 'token_expires_at' | 'spent_at'>

/** The person who signed in. The end of a sign-in holds from the next request on, whatever life its tokens had left. */
export function principalOfSignIn(ctx: Pick<BaseContext, 'now'>, found: SignIn): UserPrincipal {
  const { user_id, sign_in_id, mfa, mfa_accounts, sso_accounts: sso_needed_by } = found
  if (found.ended_at !== null || found.expires_at <= ctx.now())
    throw revoked({ type: 'user', user_id, token_id: sign_in_id })
  const sign_in = { sign_in_id, mfa, mfa_needed_by: mfa ? [] : mfa_accounts, sso_needed_by }
  return { type: 'user', user_id, token_id: sign_in_id, sign_in }
}
