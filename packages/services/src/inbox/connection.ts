import { lostConnections } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Connections that expired, and those that an agent does not start without, for people who may connect them. */
export const connection: InboxAdapter = async (ctx, scope) => {
  const managed = scope.holding('project.connector.connections.manage')
  const readable = scope.holding('project.connector.read')
  const expired = await lostConnections.expiredConnections(ctx.db, {
    ...{ user_id: scope.user_id, readable, managed },
  })
  const missing = await lostConnections.missingConnections(ctx.db, managed)
  return [...expired, ...missing].map(({ connection_id, project_id, slug, name, label, error, at }) => ({
    id: connection_id ?? `${project_id}.${slug}`,
    version: connection_id === null ? slug : at.toISOString(),
    ...{ project_id, slug, at },
    title: label === null ? name : `${name}: ${label}`,
    phrase:
      connection_id === null
        ? 'An agent does not start without it, and it is not connected'
        : `Expired: ${error ?? 'connect it again'}`,
    path: `/projects/${project_id}/connectors/${slug}`,
  }))
}
