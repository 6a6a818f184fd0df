import { createHash, randomBytes } from 'node:crypto'
import type { AuthorizationRow, ConnectorRow, ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Connector } from '@svc/manifest'
import { openSealed, sealFor } from '@svc/services'
import { aggregatorOf, UpstreamRefusal } from '@svc/upstream'
import { beganName, redirectUri } from '../../authorizations/place.ts'
import { connectorOf } from '../../connectors/definition.ts'
import type { ExecutorContext, SignInBegun, SignInFinished } from '../../context.ts'
import { type BeginningKey, limited } from './step.ts'

/** Kept between the two steps, sealed. */
interface Linked {
  readonly ref: string
}

/** A page of an aggregator, where the person connects an account of the connector's app. */
export async function beginLink(
  ctx: ExecutorContext,
  project: ProjectRow,
  connector: Connector,
  { authorization_id, user_id }: BeginningKey,
): Promise<SignInBegun> {
  const { aggregator, app } = aggregatorOf(ctx.aggregators ?? {}, connector)
  const state = randomBytes(32).toString('base64url')
  const callback = `${redirectUri(ctx.settings)}?state=${state}`
  const user = `svc-${user_id ?? project.project_id}`
  const { ref, url } = await aggregator.begin({ app, user, callback }, limited(ctx))
  const linked: Linked = { ref }
  return {
    ...{ issuer: null, resource: null, authorization_url: url },
    state_hash: createHash('sha256').update(state).digest('hex'),
    sealed_verifier: sealFor(ctx.vault, project, beganName(authorization_id), JSON.stringify(linked)),
  }
}

/** The account, once the aggregator says that it is connected: what the browser came back with proves nothing. */
export async function finishLink(
  ctx: ExecutorContext,
  project: ProjectRow,
  row: ConnectorRow,
  { authorization_id, sealed_verifier }: AuthorizationRow,
): Promise<SignInFinished> {
  if (sealed_verifier === null) throw new ServiceError('conflict', 'The sign-in is over; begin it again')
  const text = openSealed(ctx.vault, project, beganName(authorization_id), sealed_verifier)
  const { aggregator } = aggregatorOf(ctx.aggregators ?? {}, connectorOf(row))
  const { ref, status } = await aggregator.find((JSON.parse(text) as Linked).ref, limited(ctx))
  if (status === 'pending')
    throw new ServiceError('conflict', 'The account is not connected there yet; finish on the page first')
  if (status === 'expired')
    throw new UpstreamRefusal('connector_not_connected', 'The account was not connected; begin it again')
  return { sealed_credential: null, external_ref: ref, field_names: [], expires_at: null, origin: null }
}
