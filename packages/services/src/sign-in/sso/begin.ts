import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { ServiceError } from '@svc/errors'
import type { BaseContext } from '../../context.ts'
import { sealAttempt } from './attempt.ts'
import type { SsoProviders } from './providers.ts'

type SsoContext = Pick<BaseContext, 'sso' | 'vault' | 'settings' | 'now'>

const lifetimeMs = 10 * 60_000

export function listSsoProviders({ sso, settings }: Pick<BaseContext, 'sso' | 'settings'>) {
  const url = (name: string) => `${settings.api_url}/auth/sso/${name}`
  return { providers: (sso?.names ?? []).map((name) => ({ name, url: url(name) })) }
}

/** Where to send a browser, and what it keeps until it comes back. */
export async function beginSso(
  ctx: SsoContext,
  { provider }: { readonly provider: string },
): Promise<{ url: string; cookie: string }> {
  const config = await providersOf(ctx).find(provider)
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
  return { url: url.href, cookie: sealAttempt(ctx, { provider, state, nonce, verifier, expires_at }) }
}

export function providersOf({ sso }: Pick<BaseContext, 'sso'>): SsoProviders {
  if (sso) return sso
  throw new ServiceError('not_found', 'There is no such provider')
}

export function callbackOf({ settings }: Pick<BaseContext, 'settings'>, provider: string): string {
  return `${settings.api_url}/auth/sso/${provider}/callback`
}
