import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js'
import {
  checkResourceAllowed,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import type { FetchLike } from '../fetch-over.ts'
import { UpstreamRefusal } from '../shapes.ts'
import { orRefusal } from './refusal.ts'
import type { OAuthServer } from './server.ts'

interface Asked {
  /** The address of the MCP server. */
  readonly url: string
  /** `oauth.scopes` of the manifest; without them those that the server names. */
  readonly scopes?: readonly string[]
}

/**
 * The issuer of an MCP server's tokens: from its 401 to its metadata (RFC 9728), and from there to the issuer's
 * (RFC 8414, then OpenID). A server of before these metadata is its own issuer. Throws `UpstreamRefusal`.
 */
export async function discoverOAuth({ url, scopes }: Asked, fetch: FetchLike): Promise<OAuthServer> {
  const server = new URL(url)
  const challenge = await challengeOf(server, fetch)
  const found = await orRefusal(`The metadata of ${server.origin}`, () =>
    discoverOAuthProtectedResourceMetadata(
      server,
      challenge.resourceMetadataUrl === undefined
        ? {}
        : { resourceMetadataUrl: challenge.resourceMetadataUrl },
      fetch,
    ).catch(unlessMissing),
  )
  if (found === undefined && !challenge.refused)
    throw unusable(`${server.origin} asks for no sign-in; use it as it is, or name an \`auth\` type`)
  const resource = found?.resource ?? resourceUrlFromServerUrl(server).href
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: resource }))
    throw unusable(
      `${server.origin} says that its tokens are for ${resource}, which is not the address of this connector; correct \`url\``,
    )
  const issuer = found?.authorization_servers?.[0] ?? server.origin
  const metadata = await orRefusal(`The metadata of ${issuer}`, () =>
    discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch }),
  )
  if (metadata === undefined)
    throw unusable(
      `${issuer} publishes no metadata, so that no sign-in can begin; set \`auth\` to \`bearer\` and connect a token`,
    )
  if (trimmed(metadata.issuer) !== trimmed(issuer))
    throw unusable(
      `${issuer} names itself ${metadata.issuer}: its metadata are another issuer's, and are not used`,
    )
  requireSafe(metadata, issuer)
  const asked = scopes ?? challenge.scope?.split(' ') ?? found?.scopes_supported
  const more: Readonly<Record<string, unknown>> = { ...metadata }
  const { registration_endpoint } = metadata
  const { revocation_endpoint } = more
  const methods = metadata.token_endpoint_auth_methods_supported
  return {
    issuer: metadata.issuer,
    resource,
    authorization_endpoint: metadata.authorization_endpoint,
    token_endpoint: metadata.token_endpoint,
    ...(registration_endpoint === undefined ? {} : { registration_endpoint }),
    ...(typeof revocation_endpoint === 'string' ? { revocation_endpoint } : {}),
    ...(asked === undefined ? {} : { scopes: withRefresh(asked, metadata.scopes_supported) }),
    ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods }),
    names_itself: more['authorization_response_iss_parameter_supported'] === true,
  }
}

/** The answer to a caller without a token. */
async function challengeOf(server: URL, fetch: FetchLike) {
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'svc', version: '1' },
  }
  const response = await fetch(server, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await response.body?.cancel()
  return { refused: response.status === 401, ...extractWWWAuthenticateParams(response) }
}

/** The SDK has no other sign for a document that is not there. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && /does not implement/.test(error.message)) return undefined
  throw error
}

function requireSafe(
  metadata: {
    readonly authorization_endpoint: string
    readonly code_challenge_methods_supported?: string[] | undefined
  },
  issuer: string,
): void {
  const methods = metadata.code_challenge_methods_supported
  if (methods !== undefined && !methods.includes('S256'))
    throw unusable(
      `${issuer} does not take PKCE with S256, without which a code can be stolen; it cannot be used`,
    )
  const page = new URL(metadata.authorization_endpoint)
  // The page is opened by a browser. Without TLS it may stand only where the wire let its issuer be asked without it.
  if (page.protocol !== 'https:' && page.origin !== new URL(issuer).origin)
    throw unusable(`The sign-in page of ${issuer} is not served by https; it is not opened`)
}

/** Access without the person is asked for: a token is refreshed without a sign-in. */
function withRefresh(scopes: readonly string[], known: readonly string[] | undefined): readonly string[] {
  const wants = known?.includes('offline_access') === true && !scopes.includes('offline_access')
  return wants ? [...scopes, 'offline_access'] : scopes
}

const trimmed = (issuer: string) => issuer.replace(/\/$/, '')
const unusable = (message: string) => new UpstreamRefusal('connector_unusable', message)
