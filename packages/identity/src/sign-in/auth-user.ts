import type { UserPrincipal } from '@svc/access'
import { forbidden, requireUser } from '@svc/context'
import { browserSessions, signIns, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../context.ts'
import { countPasswordAttempt } from './attempts.ts'
import { recordSignIn } from './audit.ts'
import { presentPerson, type SignInPerson } from './issue.ts'
import { passwordChangedMail, sendLater } from './codes/mails.ts'
import { hashPassword, verifyPassword } from '@svc/vault/password'
import { requireStrong } from './password/require-strong.ts'

/** An app that acts for a person does not change how that person signs in. */
export function requireOwnHand(ctx: Pick<IdentityContext, 'principal' | 'trail'>): UserPrincipal {
  const principal = requireUser(ctx)
  if (principal.oauth === undefined) return principal
  throw forbidden('account.sign_in', 'An app does not do this for you; sign in yourself')
}

export async function getAuthUser(
  ctx: Pick<IdentityContext, 'db' | 'principal'>,
): Promise<{ user: SignInPerson }> {
  return { user: presentPerson(await ownself(ctx)) }
}

/** A new password for oneself, given the one before. Ends the person's other sign-ins. */
export async function changePassword(
  ctx: IdentityContext,
  input: { readonly password: string; readonly current_password?: string | undefined },
): Promise<{ user: SignInPerson }> {
  const { user_id, sign_in, browser_session_id: browser } = requireOwnHand(ctx)
  const user = await ownself(ctx)
  requireStrong(input.password, user.email)
  await provePassword(ctx, user, input.current_password, 'current_password')
  const password_hash = await hashPassword(input.password)
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    await userCredentials.setPassword(tx, user_id, password_hash, now)
    await signIns.endOfUser(tx, { user_id, keep: sign_in?.sign_in_id }, 'password_changed', now)
    await browserSessions.endOfUser(tx, { user_id, keep: browser })
    await recordSignIn(ctx, tx, { user_id, action: 'changePassword' })
  })
  sendLater(ctx, passwordChangedMail(user.email))
  return { user: presentPerson(user) }
}

/**
 * A holder of a person's token is not yet the person: a change to how they sign in asks for the password, if there is
 * one.
 */
export async function provePassword(
  ctx: IdentityContext,
  user: userCredentials.SignInUser,
  password: string | undefined,
  field: string,
): Promise<void> {
  if (user.password_hash === null) return
  const giveBack = await countPasswordAttempt(ctx, user.email.toLowerCase(), ctx.trail?.ip ?? null)
  if (password === undefined || !(await verifyPassword(user.password_hash, password))) {
    throw new ServiceError(
      'invalid_credentials',
      `The password is missing or wrong; give your own as ${field}`,
    )
  }
  await giveBack()
}

export async function ownself(
  ctx: Pick<IdentityContext, 'db' | 'principal'>,
): Promise<userCredentials.SignInUser> {
  const user = await userCredentials.find(ctx.db, requireUser(ctx).user_id)
  if (!user) throw new ServiceError('not_found', 'There is no such person; sign in again')
  return user
}
