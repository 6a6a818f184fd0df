import { authenticate, type BaseContext, tokenHash } from '@svc/context'
import { accounts, type oauth, signIns } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SignInContext } from '../sign-in/context.ts'
import type { SignInSession } from '../sign-in/issue.ts'
import { type PasswordSignIn, signInWithPassword } from '../sign-in/password/sign-in-with-password.ts'
import { verifyOtp } from '../sign-in/codes/verify.ts'

export interface ShownPerson {
  readonly user_id: string
  readonly email: string
  readonly name: string
}

/** A person who may still approve apps and be acted for; null when they belong to no account. */
export async function findOAuthPerson(
  ctx: Pick<BaseContext, 'db'>,
  user_id: string,
): Promise<ShownPerson | null> {
  const user = await accounts.findUser(ctx.db, user_id)
  if (!user) return null
  const [home] = await accounts.listMemberships(ctx.db, user_id)
  return home === undefined ? null : { user_id, email: user.email, name: user.name }
}

/** A person who proved who they are, on a page of the authorization server. */
export interface ProvedPerson extends oauth.ApprovalProof {
  readonly user_id: string
}

/** By password. The page keeps a browser session of its own, so that the sign-in is over at once. */
export async function personOfPassword(ctx: SignInContext, input: PasswordSignIn): Promise<ProvedPerson> {
  return personOfSignIn(ctx, await signInWithPassword(ctx, input))
}

/** By a provider, which handed out the token of a link. Throws `totp_required`, `otp_expired`. */
export async function personOfSso(
  ctx: SignInContext,
  proof: { readonly link_token: string; readonly totp_code?: string | undefined },
): Promise<ProvedPerson> {
  return personOfSignIn(ctx, await verifyOtp(ctx, { ...proof, type: 'sso' }))
}

async function personOfSignIn(
  ctx: SignInContext,
  { session }: { readonly session: SignInSession },
): Promise<ProvedPerson> {
  const opened = await signIns.findByToken(ctx.db, tokenHash(session.access_token), 'access')
  if (!opened) throw new Error('A sign-in that was opened is not there')
  const { user_id, sign_in_id, mfa, sso_account_id } = opened
  await signIns.end(ctx.db, sign_in_id, 'sign_out', ctx.now())
  return { user_id, mfa, by_token: false, sso_account_id }
}

/** By a user token that they pasted: an owner who came from the bootstrap file has no password. */
export async function personOfToken(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  token: string,
): Promise<ProvedPerson> {
  const principal = await authenticate(ctx, token)
  const minted = principal.type === 'user' && principal.oauth === undefined && principal.sign_in === undefined
  // Tokens that people minted reach what they reach, whatever they signed in with.
  if (minted) return { user_id: principal.user_id, mfa: true, by_token: true, sso_account_id: null }
  throw new ServiceError('unauthorized', 'This needs a user token, as `svc tokens new` makes them')
}
