import { connections, type ConnectionRow, connectors } from '@svc/db'
import { openSealed, sealFor } from '@svc/services'
import { aggregatorOf, fetchOver, refreshOAuth, revokeOAuth, UpstreamRefusal } from '@svc/upstream'
import { credentialName } from '../../connections/place.ts'
import { connectorOf } from '../../connectors/definition.ts'
import type { ExecutorContext } from '../../context.ts'
import { requireProjectRow } from '../target.ts'
import { clientOfGrant } from './client.ts'
import { type Grant, grantFields, parseGrant } from './grant.ts'

/** The time before its end at which an access token is renewed. */
const earlyMs = 60_000
const renewMs = 15_000

/**
 * A connection with a token that is good for a minute. The first call renews it, under a lock of its row, and the
 * others take what that brought. One that is renewed no more is `expired`: a person connects it again. Throws
 * `UpstreamRefusal` where its issuer does not answer.
 */
export async function renewed(ctx: ExecutorContext, connection: ConnectionRow): Promise<ConnectionRow> {
  if (!isDue(ctx, connection)) return connection
  return ctx.db.transaction().execute(async (tx) => {
    const row = await connections.lock(tx, connection)
    if (row === undefined || !isDue(ctx, row)) return row ?? connection
    const grant = await grantOf(ctx, row)
    const { connection_id } = row
    const now = ctx.now()
    try {
      const next = await renew(ctx, row, grant)
      const project = await requireProjectRow(ctx, row.project_id)
      const changed = await connections.update(tx, connection_id, {
        sealed_credential: sealFor(ctx.vault, project, credentialName(connection_id), JSON.stringify(next)),
        ...{ field_names: grantFields(next), last_error: null, updated_at: now },
        expires_at: next.expires_at === undefined ? null : new Date(next.expires_at),
      })
      return changed ?? row
    } catch (error) {
      if (!(error instanceof UpstreamRefusal) || error.reason !== 'connection_expired') throw error
      const expired = await connections.update(tx, connection_id, {
        ...{ status: 'expired', sealed_credential: null, last_error: error.message, updated_at: now },
      })
      ctx.log.warn({ connection_id, connector: row.slug }, 'A connection expired')
      return expired ?? row
    }
  })
}

function isDue(ctx: Pick<ExecutorContext, 'now'>, { kind, status, expires_at }: ConnectionRow): boolean {
  if (kind !== 'oauth2' || status !== 'active' || expires_at === null) return false
  return expires_at.getTime() - ctx.now().getTime() < earlyMs
}

async function renew(ctx: ExecutorContext, row: ConnectionRow, grant: Grant): Promise<Grant> {
  const { refresh_token, server } = grant
  if (refresh_token === undefined)
    throw new UpstreamRefusal(
      'connection_expired',
      `${server.issuer} gave no token that renews the access; connect it again`,
    )
  const project = await requireProjectRow(ctx, row.project_id)
  const client = await clientOfGrant(ctx, project, grant)
  const fetch = fetchOver(ctx.wire, AbortSignal.any([ctx.signal, AbortSignal.timeout(renewMs)]))
  const tokens = await refreshOAuth(server, client, { refresh_token, now: ctx.now() }, fetch)
  return { ...tokens, server, client_id: grant.client_id }
}

async function grantOf(ctx: ExecutorContext, row: ConnectionRow): Promise<Grant> {
  const project = await requireProjectRow(ctx, row.project_id)
  return parseGrant(
    openSealed(ctx.vault, project, credentialName(row.connection_id), row.sealed_credential ?? ''),
  )
}

/** A token that its service refused is renewed before the next call; an account at an aggregator has expired. */
export async function noteRefused(
  ctx: Pick<ExecutorContext, 'db' | 'now'>,
  { kind, connection_id }: ConnectionRow,
): Promise<void> {
  const updated_at = ctx.now()
  if (kind === 'oauth2')
    await connections.update(ctx.db, connection_id, { expires_at: updated_at, updated_at })
  if (kind === 'aggregator')
    await connections.update(ctx.db, connection_id, {
      ...{
        status: 'expired',
        last_error: 'The aggregator refuses the account; connect it again',
        updated_at,
      },
    })
}

/** Takes the access back at the issuer, by the token that lives longest, or the account at its aggregator. */
export async function revokeConnection(
  ctx: ExecutorContext,
  row: ConnectionRow | undefined,
): Promise<boolean> {
  if (row?.kind === 'aggregator') return forgetAccount(ctx, row)
  if (row === undefined || row.kind !== 'oauth2' || row.sealed_credential === null) return false
  const grant = await grantOf(ctx, row)
  const project = await requireProjectRow(ctx, row.project_id)
  const client = await clientOfGrant(ctx, project, grant)
  const fetch = fetchOver(ctx.wire, AbortSignal.any([ctx.signal, AbortSignal.timeout(renewMs)]))
  const token =
    grant.refresh_token === undefined
      ? ({ value: grant.access_token, hint: 'access_token' } as const)
      : ({ value: grant.refresh_token, hint: 'refresh_token' } as const)
  return revokeOAuth(grant.server, client, token, fetch)
}

async function forgetAccount(ctx: ExecutorContext, row: ConnectionRow): Promise<boolean> {
  const declared = await connectors.find(ctx.db, row)
  if (declared === undefined || row.external_ref === null) return false
  const { aggregator } = aggregatorOf(ctx.aggregators ?? {}, connectorOf(declared))
  await aggregator.forget(row.external_ref, AbortSignal.any([ctx.signal, AbortSignal.timeout(renewMs)]))
  return true
}
