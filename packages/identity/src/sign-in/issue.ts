import { newSecret, tokenHash } from '@svc/context'
import { type Db, type SignInMethod, signIns, type userCredentials } from '@svc/db'
import { admitNamedAdmin } from './admit-platform-admin.ts'
import type { SignInContext } from './context.ts'

/** The tokens that a client keeps. `expires_in` in seconds, `expires_at` in seconds since 1970. */
export interface SignInSession {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly expires_at: number
}

export interface SignInPerson {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly email_verified: boolean
  readonly two_factor: boolean
  readonly created_at: Date
}

const accessMs = 3_600_000
const refreshMs = 30 * 86_400_000
/** However often it is refreshed. */
const wholeMs = 90 * 86_400_000

export interface NewSignIn {
  readonly user_id: string
  readonly method: SignInMethod
  readonly mfa: boolean
  /** The account whose own provider it was, if it was one of an account. */
  readonly sso_account_id?: string | null
}

type IssueContext = Pick<SignInContext, 'settings' | 'now' | 'newId'>

/** Begins a sign-in with its first two tokens. */
export async function openSignIn(
  ctx: IssueContext,
  tx: Db,
  sign_in: NewSignIn,
): Promise<{ readonly sign_in_id: string; readonly session: SignInSession }> {
  const created_at = ctx.now()
  const sign_in_id = ctx.newId()
  const expires_at = new Date(created_at.getTime() + wholeMs)
  await admitNamedAdmin(ctx, tx, sign_in.user_id)
  await signIns.forgetOld(tx, created_at)
  await signIns.insert(tx, { ...sign_in, sign_in_id, created_at, expires_at })
  return { sign_in_id, session: await issueTokens(ctx, tx, { sign_in_id, expires_at }) }
}

/** The next pair of a sign-in that goes on. */
export async function issueTokens(
  ctx: Pick<SignInContext, 'now'>,
  tx: Db,
  { sign_in_id, expires_at: last }: { readonly sign_in_id: string; readonly expires_at: Date },
): Promise<SignInSession> {
  const [access_token, refresh_token] = [newSecret('svc_usr_'), newSecret('svc_urt_')]
  const created_at = ctx.now()
  const until = (ms: number) => new Date(Math.min(created_at.getTime() + ms, last.getTime()))
  const common = { sign_in_id, created_at }
  const expires_at = until(accessMs)
  await signIns.insertTokens(tx, [
    { ...common, token_hash: tokenHash(access_token), kind: 'access', expires_at },
    { ...common, token_hash: tokenHash(refresh_token), kind: 'refresh', expires_at: until(refreshMs) },
  ])
  return {
    access_token,
    refresh_token,
    token_type: 'bearer',
    expires_in: Math.round((expires_at.getTime() - created_at.getTime()) / 1000),
    expires_at: Math.floor(expires_at.getTime() / 1000),
  }
}

export function presentPerson(user: userCredentials.SignInUser): SignInPerson {
  const { user_id, email, name, email_verified_at, two_factor, created_at } = user
  return { user_id, email, name, email_verified: email_verified_at !== null, two_factor, created_at }
}
