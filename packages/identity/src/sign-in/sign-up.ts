import { userCredentials } from '@svc/db'
import { countMail } from './attempts.ts'
import { recordDenied } from './audit.ts'
import { newCode } from './codes/codes.ts'
import { plainEmail, type SignInContext } from './context.ts'
import { maySignUp } from './create-person.ts'
import { codeMail, knownMail, sendLater } from './codes/mails.ts'
import { hashPassword } from '@svc/vault/password'
import { requireStrong } from './password/require-strong.ts'
import { refuseEnforced } from './sso/enforced.ts'

export interface SignUp {
  readonly email: string
  readonly password: string
  readonly name?: string | undefined
}

/**
 * Keeps a sign-up until its address is confirmed. Only the mailbox learns whether the address is known, invited or
 * neither.
 */
export async function signUp(ctx: SignInContext, input: SignUp): Promise<{ session: null; user: null }> {
  const email = plainEmail(input.email)
  requireStrong(input.password, email)
  await refuseEnforced(ctx, email, 'signUp')
  await countMail(ctx, 'signup', email)
  const [user, allowed, password_hash] = await Promise.all([
    userCredentials.findByEmail(ctx.db, email),
    maySignUp(ctx, email),
    hashPassword(input.password),
  ])
  const usable = !user && allowed
  const name = input.name ?? email.split('@')[0] ?? email
  const sent = await newCode(ctx, { purpose: 'signup', email, usable, name, password_hash })
  if (usable) sendLater(ctx, codeMail(ctx, 'signup', email, sent))
  else if (user) {
    sendLater(ctx, knownMail(email))
    recordDenied(ctx, { user_id: user.user_id, action: 'signUp', details: { reason: 'known' } })
  }
  return { session: null, user: null }
}
