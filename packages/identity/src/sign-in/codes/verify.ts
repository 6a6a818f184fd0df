import { type SignInCodeRow, userCredentials } from '@svc/db'
import { recordDenied, recordSignIn } from '../audit.ts'
import { checkCode, overOrWrong, type Proof, useCode } from './codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { createPerson } from '../create-person.ts'
import { openSignIn, presentPerson, type SignInPerson, type SignInSession } from '../issue.ts'
import { proveSecondFactor } from '../two-factor/second-factor.ts'
import { refuseEnforced } from '../sso/enforced.ts'

export type Verification = (
  (Proof & { readonly type: 'signup' | 'magic_link' }) | { readonly type: 'sso'; readonly link_token: string }
) & { readonly totp_code?: string | undefined }

export interface Verified {
  readonly session: SignInSession
  readonly user: SignInPerson
}

const action = 'verifyOtp'

/** Signs in a person who reads the mail of an address: the end of a sign-up, or a sign-in without a password. */
export async function verifyOtp(ctx: SignInContext, input: Verification): Promise<Verified> {
  const proof = 'email' in input ? { ...input, email: plainEmail(input.email) } : input
  const row = await checkCode(ctx, input.type, proof)
  await refuseEnforced(ctx, row.email, action, row.sso_account_id)
  return input.type === 'signup' ? finishSignUp(ctx, row) : finishLink(ctx, row, input.type, input.totp_code)
}

async function finishSignUp(ctx: SignInContext, row: SignInCodeRow): Promise<Verified> {
  const user_id = ctx.newId()
  return ctx.db.transaction().execute(async (tx) => {
    await useCode(ctx, tx, row)
    if (row.password_hash === null) throw new Error('A sign-up is kept without its password')
    await createPerson(ctx, tx, { ...row, user_id })
    await userCredentials.setPassword(tx, user_id, row.password_hash, ctx.now())
    const { session, sign_in_id } = await openSignIn(ctx, tx, { user_id, method: 'signup', mfa: false })
    const user = await userCredentials.find(tx, user_id)
    if (!user) throw new Error('A person that was made is not there')
    await recordSignIn(ctx, tx, { user_id, sign_in_id, action, details: { type: 'signup', sign_in_id } })
    return { session, user: presentPerson(user) }
  })
}

async function finishLink(
  ctx: SignInContext,
  row: SignInCodeRow,
  type: 'magic_link' | 'sso',
  totp_code: string | undefined,
): Promise<Verified> {
  const user = await userCredentials.findByEmail(ctx.db, row.email)
  if (!user) throw overOrWrong()
  const { user_id } = user
  const mfa = await proveSecondFactor(ctx, user, totp_code).catch((error: unknown) => {
    if (totp_code !== undefined) recordDenied(ctx, { user_id, action, details: { reason: 'second_factor' } })
    throw error
  })
  return ctx.db.transaction().execute(async (tx) => {
    await useCode(ctx, tx, row)
    // For `sso`, the provider's word on the address was judged before it led here.
    if (type === 'magic_link') await userCredentials.setVerified(tx, user_id, ctx.now())
    const { sso_account_id } = row
    const opened = { user_id, method: type, mfa, sso_account_id }
    const { session, sign_in_id } = await openSignIn(ctx, tx, opened)
    await recordSignIn(ctx, tx, {
      user_id,
      sign_in_id,
      action,
      details: { type, sign_in_id, mfa },
    })
    return { session, user: presentPerson(type === 'sso' ? user : { ...user, email_verified_at: ctx.now() }) }
  })
}
