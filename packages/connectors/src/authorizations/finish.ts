import { actingUser, requireProject, requireWritesOpen } from '@svc/context'
import { type AuthorizationRow, connectorAuthorizations, connections, connectors } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { UpstreamRefusal } from '@svc/upstream/shapes'
import { recordConnection } from '../connections/create.ts'
import type { ConnectorInput, ReadContext } from '../connectors/list.ts'
import type { ConnectorContext, SignInFinished } from '../context.ts'
import { endSignIn } from './end.ts'
import { presentAuthorization } from './present.ts'

export interface AuthorizationInput extends ConnectorInput {
  readonly authorization_id: string
}

/** The state of a sign-in. Only the person who began it sees it. */
export async function getAuthorization(ctx: ReadContext, input: AuthorizationInput) {
  const { row } = await requireAuthorization(ctx, input)
  return presentAuthorization(ctx.settings, row)
}

/**
 * Ends a sign-in that a browser came back from: its code becomes the connection. By the person who began, so that no account
 * ends in the connection of another person. Asked again, it says how it ended.
 */
export async function finishAuthorization(ctx: ConnectorContext, input: AuthorizationInput) {
  const { project, row } = await requireAuthorization(ctx, input)
  const { authorization_id, project_id, slug, connection_id } = row
  // An aggregator knows by itself, whether or not the browser came back.
  if (row.status === 'pending' && row.issuer !== null)
    throw new ServiceError(
      'conflict',
      'The browser did not come back from the page of the service yet; sign in there first',
    )
  if (row.status !== 'returned' && row.status !== 'pending') return presentAuthorization(ctx.settings, row)
  requireWritesOpen(ctx)
  const finished = await exchange(ctx, { project_id, slug, authorization_id })
  const now = ctx.now()
  const ended = await ctx.db.transaction().execute(async (tx) => {
    if ('failed' in finished) return endSignIn(tx, row, { status: 'failed', error: finished.failed, now })
    const { sealed_credential, external_ref, field_names, expires_at, origin } = finished
    const connection = await connections.lock(tx, { project_id, connection_id })
    if (connection === undefined || connection.status === 'revoked')
      return endSignIn(tx, row, {
        status: 'failed',
        error: 'The connection was removed meanwhile; connect it again',
        now,
      })
    const done = await connectorAuthorizations.end(tx, authorization_id, { status: 'connected', error: null })
    if (done === undefined) return undefined
    const { user_id } = connection
    const rival = await connections.findDefault(tx, { project_id, slug }, user_id)
    const is_default = rival?.status !== 'active' || rival.connection_id === connection_id
    if (is_default) await connections.clearDefault(tx, { project_id, slug, user_id })
    const made = await connections.update(tx, connection_id, {
      ...{ status: 'active', sealed_credential, external_ref, field_names: [...field_names] },
      ...{ origin, is_default },
      expires_at: expires_at === null ? null : new Date(expires_at),
      ...{ last_error: null, updated_at: now },
    })
    await connectors.markDue(tx, { project_id, slug }, now)
    if (made !== undefined) await recordConnection(ctx, tx, project, made, 'finishConnectorAuthorization')
    return done
  })
  return presentAuthorization(ctx.settings, ended ?? (await requireAuthorization(ctx, input)).row)
}

async function exchange(
  ctx: ConnectorContext,
  key: Parameters<ConnectorContext['executor']['finishSignIn']>[0],
): Promise<SignInFinished | { readonly failed: string }> {
  try {
    return await ctx.executor.finishSignIn(key)
  } catch (error) {
    if (error instanceof UpstreamRefusal) return { failed: error.message }
    throw error
  }
}

async function requireAuthorization(
  ctx: ReadContext,
  { project_id, slug, authorization_id }: AuthorizationInput,
): Promise<{
  readonly project: Awaited<ReturnType<typeof requireProject>>
  readonly row: AuthorizationRow
}> {
  const project = await requireProject(ctx, project_id, 'project.connector.read')
  const row = await connectorAuthorizations.find(ctx.db, { project_id, slug, authorization_id })
  if (row === undefined || row.user_id !== actingUser(ctx.principal))
    throw new ServiceError('not_found', `You began no such sign-in for ${slug}; begin one first`)
  return { project, row }
}
