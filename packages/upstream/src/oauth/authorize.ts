import { randomBytes } from 'node:crypto'
import { exchangeAuthorization, startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthError, ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { FetchLike } from '../fetch-over.ts'
import { UpstreamRefusal } from '../shapes.ts'
import { orRefusal, saidBy } from './refusal.ts'
import { metadataOf, type OAuthClient, type OAuthServer, type OAuthTokens } from './server.ts'
import { toTokens } from './tokens.ts'

export interface OAuthBeginning {
  /** Both are secrets: they prove that who finishes is who began. */
  readonly verifier: string
  readonly state: string
  readonly authorization_url: string
}

/** The page on which a person signs in, for a code with PKCE (S256) that is good for this service alone (RFC 8707). */
export async function beginOAuth(
  server: OAuthServer,
  client: OAuthClient,
  redirect_uri: string,
): Promise<OAuthBeginning> {
  const state = randomBytes(32).toString('base64url')
  const { authorizationUrl, codeVerifier } = await startAuthorization(server.issuer, {
    metadata: metadataOf(server),
    clientInformation: client,
    redirectUrl: redirect_uri,
    state,
    resource: server.resource,
    ...(server.scopes === undefined ? {} : { scope: server.scopes.join(' ') }),
  })
  return { verifier: codeVerifier, state, authorization_url: authorizationUrl.href }
}

interface Returned {
  readonly code: string
  /** Query parameter `iss` of the answer, null where there is none. */
  readonly iss: string | null
  readonly verifier: string
  readonly redirect_uri: string
  readonly now: Date
}

/** Exchanges the code. Throws `UpstreamRefusal`: `connector_not_connected` where the sign-in has to begin again. */
export async function finishOAuth(
  server: OAuthServer,
  client: OAuthClient,
  { code, iss, verifier, redirect_uri, now }: Returned,
  fetch: FetchLike,
): Promise<OAuthTokens> {
  if (iss === null ? server.names_itself : iss !== server.issuer)
    throw again(`The answer does not come from ${server.issuer}, where the sign-in began`)
  return orRefusal(`The exchange of the code at ${server.issuer}`, async () => {
    const tokens = await exchangeAuthorization(server.issuer, {
      metadata: metadataOf(server),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirect_uri,
      resource: server.resource,
      fetchFn: fetch,
    }).catch((error: unknown) => {
      if (error instanceof OAuthError && !(error instanceof ServerError))
        throw again(`${server.issuer} refuses the sign-in: ${saidBy(error)}`)
      throw error
    })
    return toTokens(tokens, server, now)
  })
}

const again = (why: string) =>
  new UpstreamRefusal('connector_not_connected', `${why}; begin the connection again`)
