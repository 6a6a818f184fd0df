import { refreshAuthorization, selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthError, ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { OAuthTokens as TokenResponse } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '../fetch-over.ts'
import { UpstreamRefusal } from '../shapes.ts'
import { orRefusal, saidBy } from './refusal.ts'
import { metadataOf, type OAuthClient, type OAuthServer, type OAuthTokens } from './server.ts'

/** The tokens of an answer, with the moment of their end. Throws `UpstreamRefusal` for tokens that are not sent as bearer. */
export function toTokens(answer: TokenResponse, { issuer }: OAuthServer, now: Date): OAuthTokens {
  const { access_token, refresh_token, expires_in, token_type } = answer
  if (token_type.toLowerCase() !== 'bearer')
    throw new UpstreamRefusal(
      'connector_unusable',
      `${issuer} gives tokens of type ${token_type}; only bearer tokens are sent`,
    )
  const end = expires_in === undefined ? undefined : new Date(now.getTime() + expires_in * 1000).toISOString()
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(end === undefined ? {} : { expires_at: end }),
  }
}

interface Refreshing {
  readonly refresh_token: string
  readonly now: Date
}

/** New tokens; the refresh token is the old one where no new one came. Throws `UpstreamRefusal`: `connection_expired` where only a person can go on. */
export async function refreshOAuth(
  server: OAuthServer,
  client: OAuthClient,
  { refresh_token, now }: Refreshing,
  fetch: FetchLike,
): Promise<OAuthTokens> {
  return orRefusal(`The refresh at ${server.issuer}`, async () => {
    const tokens = await refreshAuthorization(server.issuer, {
      metadata: metadataOf(server),
      clientInformation: client,
      refreshToken: refresh_token,
      resource: server.resource,
      fetchFn: fetch,
    }).catch((error: unknown) => {
      if (error instanceof OAuthError && !(error instanceof ServerError))
        throw new UpstreamRefusal(
          'connection_expired',
          `${server.issuer} does not renew the access: ${saidBy(error)}; connect it again`,
        )
      throw error
    })
    return toTokens(tokens, server, now)
  })
}

/** Takes a token back at its issuer (RFC 7009). false where the issuer has no address for it. Throws `UpstreamRefusal`. */
export async function revokeOAuth(
  server: OAuthServer,
  client: OAuthClient,
  token: { readonly value: string; readonly hint: 'access_token' | 'refresh_token' },
  fetch: FetchLike,
): Promise<boolean> {
  if (server.revocation_endpoint === undefined) return false
  const body = new URLSearchParams({ token: token.value, token_type_hint: token.hint })
  const headers = new Headers({ accept: 'application/json' })
  authenticate(server, client, headers, body)
  const response = await fetch(server.revocation_endpoint, { method: 'POST', headers, body })
  await response.body?.cancel()
  if (!response.ok)
    throw new UpstreamRefusal(
      'upstream_error',
      `${server.issuer} answered ${response.status} to the revocation; remove the access there by hand`,
    )
  return true
}

function authenticate(
  server: OAuthServer,
  client: OAuthClient,
  headers: Headers,
  body: URLSearchParams,
): void {
  const method = selectClientAuthMethod(client, [...(server.token_endpoint_auth_methods_supported ?? [])])
  const { client_id, client_secret = '' } = client
  if (method === 'client_secret_basic') {
    const pair = [client_id, client_secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    return
  }
  body.set('client_id', client_id)
  if (method === 'client_secret_post') body.set('client_secret', client_secret)
}
