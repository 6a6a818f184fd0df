import { createHash } from 'node:crypto'
import { connectorAuthorizations } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { openSealed, sealFor } from '@svc/services'
import {
  beginOAuth,
  discoverOAuth,
  fetchOver,
  finishOAuth,
  type OAuthClient,
  type OAuthServer,
  UpstreamRefusal,
} from '@svc/upstream'
import { beganName, codeName, type Returned, redirectUri } from '../../authorizations/place.ts'
import { addressOf, connectorOf, isAggregator, takesSignIn } from '../../connectors/definition.ts'
import { credentialName } from '../../connections/place.ts'
import type { ExecutorContext, SignInBegun, SignInFinished } from '../../context.ts'
import { clientFor } from './client.ts'
import { type Grant, grantFields } from './grant.ts'
import { beginLink, finishLink } from './link.ts'
import { type AuthorizationKey, type BeginningKey, declared, limited } from './step.ts'

/** Kept between the two steps, sealed. The client is the one that the code will be for, whatever the manifest says by then. */
interface Began {
  readonly verifier: string
  readonly server: OAuthServer
  readonly client: OAuthClient
  readonly redirect_uri: string
}

/** From the address of a service to a page at its issuer. */
export async function beginSignIn(ctx: ExecutorContext, key: BeginningKey): Promise<SignInBegun> {
  const { row, project } = await declared(ctx, key)
  const connector = connectorOf(row)
  if (isAggregator(connector.provider)) return beginLink(ctx, project, connector, key)
  const url = addressOf(connector)
  if (url === null || !takesSignIn(connector))
    throw new UpstreamRefusal('connector_unusable', `${row.slug} is not connected by a sign-in`)
  const fetch = fetchOver(ctx.wire, limited(ctx))
  const { scopes } = connector.oauth
  const server = await discoverOAuth({ url, ...(scopes.length > 0 && { scopes }) }, fetch)
  const client = await clientFor(ctx, project, row, server, fetch)
  const redirect_uri = redirectUri(ctx.settings)
  const { verifier, state, authorization_url } = await beginOAuth(server, client, redirect_uri)
  const began: Began = { verifier, server, client, redirect_uri }
  return {
    ...{ issuer: server.issuer, resource: server.resource, authorization_url },
    state_hash: createHash('sha256').update(state).digest('hex'),
    sealed_verifier: sealFor(ctx.vault, project, beganName(key.authorization_id), JSON.stringify(began)),
  }
}

/** From the code to tokens. It is taken out of its row first, and so sent once. */
export async function finishSignIn(ctx: ExecutorContext, key: AuthorizationKey): Promise<SignInFinished> {
  const { row, project } = await declared(ctx, key)
  const begun = await connectorAuthorizations.find(ctx.db, key)
  const isLink = begun?.issuer === null
  if (begun === undefined || isLink !== isAggregator(connectorOf(row).provider))
    throw new UpstreamRefusal(
      'connector_not_connected',
      'svc.yaml names another service since the sign-in began; begin it again',
    )
  if (isLink) return finishLink(ctx, project, row, begun)
  const taken = await connectorAuthorizations.takeCode(ctx.db, key.authorization_id, ctx.now())
  if (taken === undefined || taken.sealed_verifier === null || taken.sealed_code === null)
    throw new ServiceError(
      'conflict',
      'The sign-in is being finished, or its code was lost on the way; look again in a moment, or begin it anew',
    )
  const open = (name: string, sealed: string): unknown =>
    JSON.parse(openSealed(ctx.vault, project, name, sealed))
  const began = open(beganName(taken.authorization_id), taken.sealed_verifier) as Began
  const { code, iss } = open(codeName(taken.authorization_id), taken.sealed_code) as Returned
  const { server, client, verifier, redirect_uri } = began
  const fetch = fetchOver(ctx.wire, limited(ctx))
  const returned = { code, iss, verifier, redirect_uri, now: ctx.now() }
  const tokens = await finishOAuth(server, client, returned, fetch)
  const grant: Grant = { ...tokens, server, client_id: client.client_id }
  return {
    sealed_credential: sealFor(
      ctx.vault,
      project,
      credentialName(taken.connection_id),
      JSON.stringify(grant),
    ),
    external_ref: null,
    field_names: grantFields(grant),
    expires_at: tokens.expires_at ?? null,
    // That of the service it was begun for, which the manifest may have moved away from meanwhile.
    origin: new URL(server.resource).origin,
  }
}
