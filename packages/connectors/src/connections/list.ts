import { actingUser, forbidden, type AccessibleProject, requireActor, requireProject } from '@svc/context'
import { connections, type ConnectionRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type ConnectorInput, type ReadContext, requireConnector } from '../connectors/list.ts'
import { presentComputers, presentConnection } from './present.ts'

/** The project's connections of a connector, and the caller's own; never a value of one. */
export async function listConnections(ctx: ReadContext, input: ConnectorInput) {
  await requireConnector(ctx, input, 'project.connector.read')
  const all = await connections.list(ctx.db, { ...input, user_id: actingUser(ctx.principal) })
  const rows = all.filter(({ status }) => status !== 'revoked')
  const present = await presentComputers(ctx, rows)
  return { connections: rows.map((row) => presentConnection(row, present)) }
}

export interface ConnectionInput extends ConnectorInput {
  readonly connection_id: string
}

/** A connection that the caller may change: an own one, or one of the project for those who manage these. */
export async function requireConnection(
  ctx: ReadContext,
  { project_id, slug, connection_id }: ConnectionInput,
): Promise<{ readonly project: AccessibleProject; readonly row: ConnectionRow }> {
  const project = await requireProject(ctx, project_id, 'project.connector.read')
  const row = await connections.find(ctx.db, { project_id, connection_id })
  const isTheirs = row?.user_id === null || row?.user_id === actingUser(ctx.principal)
  if (row === undefined || row.slug !== slug || row.status === 'revoked' || !isTheirs)
    throw new ServiceError('not_found', `${slug} has no such connection; list those of the connector`)
  await requireScope(ctx, project_id, row.user_id === null ? 'project' : 'personal')
  return { project, row }
}

/** The owner of a connection of this scope that the caller may make or change: null is the project. */
export async function requireScope(
  ctx: ReadContext,
  project_id: string,
  scope: 'project' | 'personal',
): Promise<string | null> {
  if (scope === 'project') {
    await requireProject(ctx, project_id, 'project.connector.connections.manage')
    return null
  }
  const user_id = requireActor(ctx)
  if (ctx.principal.type === 'user' || ctx.principal.type === 'project') return user_id
  throw forbidden(
    'project.connector.connections.manage',
    'A personal connection is a person’s own; connect the project instead',
  )
}
