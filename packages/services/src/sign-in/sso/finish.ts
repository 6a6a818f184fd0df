import { type Db, scimUsers, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client'
import { z } from 'zod'
import type { BaseContext, Context } from '../../context.ts'
import { recordSignIn } from '../audit.ts'
import { newCode } from '../codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { createPerson, maySignUp } from '../create-person.ts'
import { openAttempt, type SsoAttempt } from './attempt.ts'
import { callbackOf, providersOf } from './begin.ts'

const Claims = z.object({
  iss: z.string().min(1),
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional(),
  email_verified: z.boolean().optional(),
  name: z.string().max(100).optional(),
})
type Claims = z.infer<typeof Claims>

export interface SsoReturn {
  readonly provider: string
  /** With its question mark. */
  readonly query: string
  readonly cookie: string | undefined
}

/** Takes the word of a provider for who somebody is. What it hands out is exchanged once, for a sign-in. */
export async function finishSso(
  ctx: SignInContext & Pick<Context, 'sso'>,
  { provider, query, cookie }: SsoReturn,
): Promise<{ link_token: string }> {
  const config = await providersOf(ctx).find(provider)
  const attempt = openAttempt(ctx, cookie)
  if (!attempt || attempt.provider !== provider) {
    throw new ServiceError('otp_expired', 'This browser has not begun to sign in lately; begin again')
  }
  const claims = await askProvider(config, new URL(callbackOf(ctx, provider) + query), attempt)
  const { email } = claims
  if (email === undefined || claims.email_verified !== true) {
    throw new ServiceError('forbidden', `${provider} has not verified your address; do that there first`)
  }
  const user = await personOf(ctx, { ...claims, email: plainEmail(email) })
  const known = plainEmail(user.email)
  return { link_token: (await newCode(ctx, { purpose: 'sso', email: known, usable: true })).link_token }
}

/** Checks state, nonce, PKCE, issuer and signature. */
async function askProvider(config: Configuration, url: URL, attempt: SsoAttempt): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(config, url, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider sent no id token')
    const more =
      claims['email'] === undefined ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {}
    return Claims.parse({ ...more, ...claims })
  } catch (cause) {
    // Its text may hold what the provider was sent: it is for the log alone.
    throw new ServiceError(
      'invalid_credentials',
      'The provider did not sign you in; begin again',
      {},
      { cause },
    )
  }
}

type Named = Claims & { readonly email: string }

async function personOf(
  ctx: SignInContext & Pick<BaseContext, 'settings'>,
  claims: Named,
): Promise<{ readonly email: string }> {
  const identity = { issuer: claims.iss, subject: claims.sub }
  const known = await userCredentials.findByIdentity(ctx.db, identity)
  if (known) return known
  const user = await userCredentials.findByEmail(ctx.db, claims.email)
  if (user && user.email_verified_at === null && !(await isUntouched(ctx, user))) {
    throw new ServiceError(
      'conflict',
      'Your address is known here and was never confirmed; sign in once with a code by mail, then this way',
    )
  }
  if (!user && !(await maySignUp(ctx, claims.email))) {
    throw new ServiceError('forbidden', 'Sign-up is by invitation; ask for one to this address')
  }
  const user_id = user?.user_id ?? ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    if (!user) await createPerson(ctx, tx, { user_id, email: claims.email, name: claims.name ?? null })
    else if (user.email_verified_at === null) await userCredentials.setVerified(tx, user_id, ctx.now())
    await link(ctx, tx, { ...identity, user_id })
  })
  return user ?? { email: claims.email }
}

/** Made by a directory, and nobody's since: no password of a stranger waits there. */
async function isUntouched(
  ctx: Pick<BaseContext, 'db'>,
  { user_id, password_hash }: { readonly user_id: string; readonly password_hash: string | null },
): Promise<boolean> {
  return password_hash === null && (await scimUsers.isMade(ctx.db, user_id))
}

async function link(
  ctx: SignInContext,
  tx: Db,
  identity: { readonly issuer: string; readonly subject: string; readonly user_id: string },
): Promise<void> {
  if (!(await userCredentials.addIdentity(tx, { ...identity, created_at: ctx.now() }))) {
    throw new ServiceError('conflict', 'Somebody was first; begin again')
  }
  const { user_id, issuer } = identity
  await recordSignIn(ctx, tx, { user_id, action: 'finishSso', details: { issuer } })
}
