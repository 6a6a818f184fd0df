import type { AccountSsoRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client'
import { z } from 'zod'
import type { IdentityContext } from '../../context.ts'
import { recordDeniedAddress } from '../audit.ts'
import { newCode } from '../codes/codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { openAttempt, type SsoAttempt } from './attempt.ts'
import { refuseEnforced } from './enforced.ts'
import { findProvider } from './find.ts'
import { personOf, type ProvedClaims } from './person.ts'
import { personOfAccount } from './person-of-account.ts'
import { callbackOf } from './urls.ts'

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

const action = 'finishSso'

/** Takes the word of a provider for who a person is. The token that it hands out is exchanged once, for a sign-in. */
export async function finishSso(
  ctx: SignInContext & Pick<IdentityContext, 'sso'>,
  { provider, query, cookie }: SsoReturn,
): Promise<{ link_token: string; interaction: string | null }> {
  const { config, account } = await findProvider(ctx, provider)
  const attempt = openAttempt(ctx, cookie)
  if (attempt?.provider !== provider || attempt.issuer !== config.serverMetadata().issuer) {
    throw new ServiceError('otp_expired', 'This browser has not begun to sign in lately; begin again')
  }
  const claims = await askProvider(config, new URL(callbackOf(ctx, provider) + query), attempt)
  const proved = { ...claims, email: plainEmail(addressOf(claims, account)) }
  const person = await personBehind(ctx, account, proved).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code !== 'sso_required')
      recordDeniedAddress(ctx, proved.email, {
        ...{ account_id: account?.account_id, action, details: { issuer: claims.iss, reason: error.code } },
      })
    throw error
  })
  const email = plainEmail(person.email)
  const sso_account_id = account?.account_id ?? null
  const { link_token } = await newCode(ctx, { purpose: 'sso', email, usable: true, sso_account_id })
  return { link_token, interaction: attempt.interaction ?? null }
}

/**
 * An account's own provider counts for addresses of its proved domains alone, so it need not say that one is verified.
 */
function addressOf({ email, email_verified }: Claims, account: AccountSsoRow | null): string {
  const verified = email_verified ?? account !== null
  if (email !== undefined && verified) return email
  throw new ServiceError('forbidden', 'The provider has not verified your address; do that there first')
}

async function personBehind(
  ctx: SignInContext,
  account: AccountSsoRow | null,
  claims: ProvedClaims,
): Promise<{ readonly email: string }> {
  if (account !== null) return personOfAccount(ctx, account, claims)
  await refuseEnforced(ctx, claims.email, action)
  return personOf(ctx, claims)
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
    // The error's text may hold data that was sent to the provider: it is for the log alone.
    throw new ServiceError(
      'invalid_credentials',
      'The provider did not sign you in; begin again',
      {},
      { cause },
    )
  }
}
