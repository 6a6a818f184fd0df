import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { IdentityBase } from '../../context.ts'
import { sealAttempt } from './attempt.ts'
import { findProvider } from './find.ts'
import { callbackOf } from './urls.ts'

const lifetimeMs = 10 * 60_000

/** The URL to send a browser to, and the cookie that it keeps until it comes back. */
export async function beginSso(
  ctx: Pick<IdentityBase, 'db' | 'sso' | 'vault' | 'settings' | 'now'>,
  { provider, interaction }: { readonly provider: string; readonly interaction?: string | undefined },
): Promise<{ url: string; cookie: string }> {
  const { config } = await findProvider(ctx, provider)
  const { issuer } = config.serverMetadata()
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(config, {
    redirect_uri: callbackOf(ctx, provider),
    scope: 'openid email profile',
    response_type: 'code',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const expires_at = ctx.now().getTime() + lifetimeMs
  const attempt = { provider, issuer, state, nonce, verifier, expires_at, interaction }
  return { url: url.href, cookie: sealAttempt(ctx, attempt) }
}
