import * as oauth from 'oauth4webapi'
import { answersAt, returnPath } from './return-path.ts'
import { type SignInRequest, keepSignInRequest } from './sign-in-request.ts'

/** Every platform knows it by this name, with this page as the one place for its answers. */
const client: oauth.Client = { client_id: 'svc-dashboard' }
const redirect_uri = () => `${location.origin}${answersAt}`
const maxMs = 20_000

const options = () => ({
  // A platform on this computer has no TLS.
  [oauth.allowInsecureRequests]: location.protocol === 'http:',
  signal: AbortSignal.timeout(maxMs),
})

async function findServer(): Promise<oauth.AuthorizationServer> {
  const here = new URL(location.origin)
  const response = await oauth.discoveryRequest(here, { algorithm: 'oauth2', ...options() })
  const said: unknown = await response.clone().json()
  const issuer = typeof said === 'object' && said !== null && 'issuer' in said ? String(said.issuer) : ''
  if (URL.canParse(issuer) && new URL(issuer).origin !== here.origin)
    throw new Error(`This platform is known as ${issuer}: open ${issuer}/dashboard/ and sign in there.`)
  return oauth.processDiscoveryResponse(here, response)
}

/** Leaves for the pages of the authorization server. The values that the answer is checked against stay in this tab. */
export async function beginSignIn(keep: boolean): Promise<void> {
  const server = await findServer()
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect_uri(),
    response_type: 'code',
    // Behind `#`, the code reaches no server, no log and no Referer.
    response_mode: 'fragment',
    scope: 'svc',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  keepSignInRequest({
    state,
    verifier,
    keep,
    return_to: returnPath(location.pathname + location.search, location.origin),
  })
  location.assign(url)
}

/** The access token for the code behind `#`, which has to be the answer to this tab's own request. */
export async function finishSignIn(hash: string, asked: SignInRequest | null): Promise<string> {
  if (asked === null) throw new Error('This tab did not begin to sign in. Sign in here.')
  const server = await findServer()
  const given = answer(server, hash, asked)
  const request = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    given,
    redirect_uri(),
    asked.verifier,
    options(),
  )
  return (await oauth.processAuthorizationCodeResponse(server, client, request)).access_token
}

function answer(server: oauth.AuthorizationServer, hash: string, { state }: SignInRequest): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, new URLSearchParams(hash.slice(1)), state)
  } catch (cause) {
    const denied = cause instanceof oauth.AuthorizationResponseError && cause.error === 'access_denied'
    if (denied) throw new Error('You did not sign in.', { cause })
    throw new Error('This is not the answer to what this tab asked. Sign in again.', { cause })
  }
}
