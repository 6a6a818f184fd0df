import { userCredentials } from '@svc/db'
import { countMail } from '../attempts.ts'
import { recordLater } from '../audit.ts'
import { newCode } from './codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { codeMail, sendLater } from './mails.ts'
import { refuseEnforced } from '../sso/enforced.ts'

const actions = { magic_link: 'askForMagicLink', recovery: 'resetPassword' } as const

/** Mails a code and a link to the address if it belongs to a person; the answer is the same if it does not. */
async function ask(
  ctx: SignInContext,
  purpose: 'magic_link' | 'recovery',
  input: { readonly email: string },
): Promise<{ session: null; user: null }> {
  const email = plainEmail(input.email)
  await refuseEnforced(ctx, email, actions[purpose])
  await countMail(ctx, purpose, email)
  const user = await userCredentials.findByEmail(ctx.db, email)
  const sent = await newCode(ctx, { purpose, email, usable: user !== undefined })
  if (user) {
    sendLater(ctx, codeMail(ctx, purpose, email, sent))
    recordLater(ctx, { user_id: user.user_id, action: actions[purpose], details: { asked: true } })
  }
  return { session: null, user: null }
}

export async function askForMagicLink(ctx: SignInContext, input: { readonly email: string }) {
  return ask(ctx, 'magic_link', input)
}

export async function askForPasswordReset(ctx: SignInContext, input: { readonly email: string }) {
  return ask(ctx, 'recovery', input)
}
