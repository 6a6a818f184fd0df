import { recordAudit } from '@svc/context'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'
import { type ConnectionInput, requireConnection } from './list.ts'

/** The connection that a computer of the caller may serve over a WebSocket; the audit log says that it began. */
export async function serveComputer(ctx: ConnectorContext, input: ConnectionInput) {
  const { project, row } = await requireConnection(ctx, input)
  const { project_id, slug, connection_id } = row
  if (row.kind !== 'computer' || row.status !== 'active')
    throw new ServiceError('not_found', `${slug} has no such computer; list the connections of the connector`)
  await ctx.executor.ready()
  return {
    connection: { project_id, connection_id },
    began: () =>
      recordAudit(ctx, ctx.db, {
        ...{ account_id: project.account_id, project_id, action: 'serveComputer' },
        target: `projects/${project_id}/connectors/${slug}/connections/${connection_id}`,
        details: { label: row.label },
      }),
  }
}
