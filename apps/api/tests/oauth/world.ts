import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { Browser } from '../support/browser.ts'
import { type OAuthPlatform, oauthPlatform } from '../support/oauth.ts'

export let platform: OAuthPlatform
/** The lead of the platform's clock, in milliseconds. */
export const clock = { ahead: 0 }
/** The first account's owner, with a token of theirs that works. */
export const owner = { token: '' }

export async function start(): Promise<void> {
  platform = await oauthPlatform({ now: () => new Date(Date.now() + clock.ahead) })
  owner.token = platform.owner.token
}

export const insecure = { [oauth.allowInsecureRequests]: true }
export const callback = 'http://127.0.0.1:4711/callback'

export interface App {
  readonly config: client.Configuration
  readonly browser: Browser
}

/** An app that found the server by its address and registered itself there. */
export async function newApp(metadata: Record<string, unknown> = {}): Promise<App> {
  const browser = new Browser(platform.origin)
  const config = await client.dynamicClientRegistration(
    new URL(platform.origin),
    { client_name: 'A test app', redirect_uris: [callback], ...metadata },
    client.None(),
    {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (url, { headers, ...options }) =>
        fetch(url, {
          ...options,
          body: options.body ?? null,
          headers: { ...headers, 'x-forwarded-for': browser.address },
        }),
    },
  )
  return { config, browser }
}

interface AuthorizationRequest {
  readonly url: URL
  readonly verifier: string
  readonly state: string
}

export async function ask(app: App, changes: Record<string, string> = {}): Promise<AuthorizationRequest> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(app.config, {
    redirect_uri: callback,
    scope: 'svc',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...changes,
  })
  return { url, verifier, state }
}

/** Signs in with the owner's token and allows it; ends where the app waits. */
export async function allow({ browser }: Pick<App, 'browser'>, url: URL): Promise<URL> {
  const first = await browser.open(url.href)
  const known = first.text.includes('Allow access?')
  const consent = known ? first : await browser.submit(first, { step: 'token', token: owner.token })
  const answer = await browser.submit(consent, { step: 'approve' })
  return new URL(answer.url)
}

export async function tokensFor(app: App, changes: Record<string, string> = {}) {
  const { url, verifier, state } = await ask(app, changes)
  const landed = await allow(app, url)
  return client.authorizationCodeGrant(app.config, landed, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
}

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
export const me = (token: string, path = '/v1/accounts/me') =>
  fetch(`${platform.origin}${path}`, bearer(token))

export async function refusal(work: Promise<unknown>): Promise<{ status: unknown; error: unknown }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return { status: 'status' in error ? error.status : null, error: error.error }
  throw new Error('This was not refused', { cause: error })
}

export const revoke = (token: string) =>
  fetch(`${platform.origin}/v1/oauth/revoke`, {
    ...bearer(token),
    method: 'POST',
    body: new URLSearchParams({ token }),
  })
