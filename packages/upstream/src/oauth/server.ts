import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'

/** An issuer of tokens, as far as the steps need to know it; plain data that can be kept between them. */
export interface OAuthServer {
  /** As its metadata write it: `iss` of an answer is compared with it. */
  readonly issuer: string
  /** The service that tokens are for, as RFC 8707 names it. */
  readonly resource: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly revocation_endpoint?: string
  /** Those to ask for. */
  readonly scopes?: readonly string[]
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  /** It promises `iss` in each answer (RFC 9207). */
  readonly names_itself: boolean
}

/** A client that an issuer knows: one that was registered, or `oauth.client_id` of a manifest. */
export interface OAuthClient {
  readonly client_id: string
  readonly client_secret?: string
}

export interface OAuthTokens {
  readonly access_token: string
  readonly refresh_token?: string
  /** ISO 8601; absent where the issuer does not say it. */
  readonly expires_at?: string
}

/** The issuer in the form that the SDK's steps take. */
export function metadataOf(server: OAuthServer): AuthorizationServerMetadata {
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = server
  const methods = server.token_endpoint_auth_methods_supported
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    response_types_supported: ['code'],
    ...(registration_endpoint === undefined ? {} : { registration_endpoint }),
    ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: [...methods] }),
  }
}
