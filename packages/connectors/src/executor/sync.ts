import { type CatalogueAction, nextCatalogue } from '@svc/connector'
import {
  connections,
  type ConnectionRow,
  connectorActions,
  type ConnectorActionRow,
  type ConnectorRow,
  connectors,
  jsonb,
} from '@svc/db'
import { eachOf } from '@svc/errors'
import { UpstreamRefusal } from '@svc/upstream'
import { catalogueDigest } from '../connectors/catalogue-digest.ts'
import { connectorOf, needsConnection } from '../connectors/definition.ts'
import { resolveConnection } from '../connections/resolve.ts'
import type { ExecutorContext } from '../context.ts'
import { peerOf } from './computers.ts'
import { noteRefused, renewed } from './oauth/renew.ts'
import { requireProjectRow, targetOf } from './target.ts'

const dayMs = 86_400_000
const claimedMs = 120_000
const listMs = 60_000
const atOnce = 10

/** Reads the actions of connectors whose time has come; how many there were. */
export async function syncDue(ctx: ExecutorContext): Promise<number> {
  const now = ctx.now()
  const due = await connectors.claimDue(ctx.db, now, new Date(now.getTime() + claimedMs), atOnce)
  const running = due.map((key) => syncConnector(ctx, key))
  await Promise.allSettled(running)
  return eachOf(running, (one) => one)
}

/** Asks the service of a connector for its actions, and writes them, or why they cannot be had. */
export async function syncConnector(
  ctx: ExecutorContext,
  key: { readonly project_id: string; readonly slug: string },
  /** The connection to ask with, where it is known. */
  with_connection?: ConnectionRow,
): Promise<void> {
  const row = await connectors.find(ctx.db, key)
  if (row === undefined) return
  const known = with_connection ?? (await connectionFor(ctx, row))
  const peer = known && (await peerOf(ctx, known))
  if (peer !== null) return peer.sync(key)
  const found = await read(ctx, row, known)
  const now = ctx.now()
  const sync_due_at = new Date(now.getTime() + (found.kind === 'unreadable' ? dayMs / 24 : dayMs))
  await ctx.db.transaction().execute(async (tx) => {
    if (found.kind !== 'actions') {
      const { status, error } = found
      await connectors.synced(tx, row, { status, error, sync_due_at })
      return
    }
    const before = await connectorActions.list(tx, key.project_id, [key.slug])
    const stored = row.synced_at === null ? null : before.map(storedAction)
    const next = nextCatalogue({ provider: row.provider, stored, listed: found.actions })
    const kept = await connectors.synced(tx, row, {
      ...{ status: 'ready', error: null, sync_due_at, synced_at: now },
      catalogue_digest: catalogueDigest(next),
    })
    if (kept)
      await connectorActions.replaceAll(
        tx,
        key,
        next.map((action, position) => rowOf(key, action, position)),
      )
  })
}

type Found =
  | { readonly kind: 'actions'; readonly actions: Parameters<typeof nextCatalogue>[0]['listed'] }
  | { readonly kind: 'unasked'; readonly status: 'needs_connection' | 'ready'; readonly error: null }
  | { readonly kind: 'unreadable'; readonly status: 'error'; readonly error: string }

async function read(ctx: ExecutorContext, row: ConnectorRow, known: ConnectionRow | null): Promise<Found> {
  const { project_id } = row
  const provider = ctx.providers[row.provider]
  if (provider === undefined)
    return {
      kind: 'unreadable',
      status: 'error',
      error: `This platform has no provider ${row.provider}; ask its operator`,
    }
  const project = await requireProjectRow(ctx, project_id)
  const connector = connectorOf(row)
  try {
    const connection = known && (await renewed(ctx, known))
    if (connection?.status === 'expired') return { kind: 'unasked', status: 'needs_connection', error: null }
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(listMs)])
    const actions = await provider.list(targetOf(ctx, project, row, connection), signal)
    return { kind: 'actions', actions }
  } catch (error) {
    if (known !== null && error instanceof UpstreamRefusal && error.reason === 'connection_expired')
      await noteRefused(ctx, known)
    const isClosed = error instanceof UpstreamRefusal && error.reason === 'connector_not_connected'
    if (known === null && (needsConnection(connector) || isClosed))
      return { kind: 'unasked', status: 'needs_connection', error: null }
    // A computer that is away serves what it served.
    if (error instanceof UpstreamRefusal && error.reason === 'computer_offline' && row.synced_at !== null)
      return { kind: 'unasked', status: 'ready', error: null }
    if (error instanceof UpstreamRefusal) return { kind: 'unreadable', status: 'error', error: error.message }
    ctx.log.warn(
      { err: error, project_id, connector: row.slug },
      'the actions of a connector could not be read',
    )
    return { kind: 'unreadable', status: 'error', error: 'Its service could not be asked; try again later' }
  }
}

/**
 * The project's default; where each person has their own, the one that was connected last, since a service may show its
 * actions to those alone that it knows.
 */
async function connectionFor(ctx: ExecutorContext, row: ConnectorRow): Promise<ConnectionRow | null> {
  const connector = connectorOf(row)
  const asking = { bound: null, owner: null, in_person: false }
  const shared = { ...connector, authorization_strategy: 'project' } as const
  const resolved = await resolveConnection(ctx.db, row.project_id, shared, asking, row.status)
  if (resolved.kind === 'connection') return resolved.connection
  if (connector.authorization_strategy !== 'user') return null
  return (await connections.findNewest(ctx.db, row)) ?? null
}

function storedAction(row: ConnectorActionRow): CatalogueAction {
  const { action, title, description, risk, input_schema, binding, digest, accepted_digest, state } = row
  return { action, title, description, risk, input_schema, binding, digest, accepted_digest, state }
}

function rowOf(
  { project_id, slug }: { readonly project_id: string; readonly slug: string },
  { input_schema, binding, ...action }: CatalogueAction,
  position: number,
) {
  return {
    ...action,
    ...{ project_id, slug, position },
    input_schema: jsonb(input_schema),
    binding: jsonb(binding),
  }
}
