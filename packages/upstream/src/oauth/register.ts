import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js'
import type { FetchLike } from '../fetch-over.ts'
import { UpstreamRefusal } from '../shapes.ts'
import { orRefusal } from './refusal.ts'
import { metadataOf, type OAuthClient, type OAuthServer } from './server.ts'

interface Registration {
  readonly redirect_uri: string
  /** The name that people see on the issuer's page. */
  readonly client_name: string
}

/** Registers the platform at an issuer (RFC 7591); not needed where a manifest names `oauth.client_id`. Throws `UpstreamRefusal`. */
export async function registerOAuthClient(
  server: OAuthServer,
  { redirect_uri, client_name }: Registration,
  fetch: FetchLike,
): Promise<OAuthClient> {
  if (server.registration_endpoint === undefined)
    throw new UpstreamRefusal(
      'connector_unusable',
      `${server.issuer} registers no client by itself; register one there with the redirect address ${redirect_uri} and write its id as \`oauth.client_id\``,
    )
  const { client_id, client_secret } = await orRefusal(`The registration at ${server.issuer}`, () =>
    registerClient(server.issuer, {
      metadata: metadataOf(server),
      clientMetadata: {
        redirect_uris: [redirect_uri],
        client_name,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: methodFor(server),
      },
      ...(server.scopes === undefined ? {} : { scope: server.scopes.join(' ') }),
      fetchFn: fetch,
    }),
  )
  return { client_id, ...(client_secret === undefined ? {} : { client_secret }) }
}

/** The one that later steps choose by the client's secret alone. */
function methodFor({
  token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
}: OAuthServer): string {
  return (
    ['none', 'client_secret_basic', 'client_secret_post'].find((method) => methods.includes(method)) ?? 'none'
  )
}
