import { browserSessions, signIns, userCredentials } from '@svc/db'
import { recordDenied, recordSignIn } from '../audit.ts'
import { checkCode, overOrWrong, type Proof, useCode } from '../codes/codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { openSignIn, presentPerson } from '../issue.ts'
import { passwordChangedMail, sendLater } from '../codes/mails.ts'
import { hashPassword } from '@svc/vault/password'
import { requireStrong } from './require-strong.ts'
import { proveSecondFactor } from '../two-factor/second-factor.ts'
import { refuseEnforced } from '../sso/enforced.ts'
import type { Verified } from '../codes/verify.ts'

export type PasswordReset = Proof & {
  readonly password: string
  readonly totp_code?: string | undefined
}

const action = 'resetPassword'

/**
 * Sets a new password for a person who reads the mail of the address and has the second factor, if there is one. Ends
 * every other sign-in.
 */
export async function resetPassword(ctx: SignInContext, input: PasswordReset): Promise<Verified> {
  const proof = 'email' in input ? { ...input, email: plainEmail(input.email) } : input
  requireStrong(input.password, 'email' in proof ? proof.email : '')
  const row = await checkCode(ctx, 'recovery', proof)
  await refuseEnforced(ctx, row.email, action)
  const user = await userCredentials.findByEmail(ctx.db, row.email)
  if (!user) throw overOrWrong()
  const { user_id, email } = user
  const mfa = await proveSecondFactor(ctx, user, input.totp_code).catch((error: unknown) => {
    if (input.totp_code !== undefined)
      recordDenied(ctx, { user_id, action, details: { reason: 'second_factor' } })
    throw error
  })
  const password_hash = await hashPassword(input.password)
  const answer = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    await useCode(ctx, tx, row)
    await userCredentials.setPassword(tx, user_id, password_hash, now)
    await userCredentials.setVerified(tx, user_id, now)
    await signIns.endOfUser(tx, { user_id }, 'password_changed', now)
    await browserSessions.endOfUser(tx, { user_id })
    const { session, sign_in_id } = await openSignIn(ctx, tx, { user_id, method: 'recovery', mfa })
    await recordSignIn(ctx, tx, { user_id, sign_in_id, action, details: { sign_in_id, mfa } })
    return { session, user: { ...presentPerson(user), email_verified: true } }
  })
  sendLater(ctx, passwordChangedMail(email))
  return answer
}
