import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Connections that expired, and those that an agent does not start without, for people who may connect them. */
export const connection = adapterOf({
  rows: (scope) =>
    inboxItems.lostConnections({
      user_id: scope.user_id,
      readable: scope.holding('project.connector.read'),
      managed: scope.holding('project.connector.connections.manage'),
    }),
  entry: ({ connection_id, project_id, slug, name, label, error, at }) => ({
    ...{ project_id, slug, at },
    title: label === null ? name : `${name}: ${label}`,
    phrase:
      connection_id === null
        ? 'An agent does not start without it, and it is not connected'
        : `Expired: ${error ?? 'connect it again'}`,
    path: `/projects/${project_id}/connectors/${slug}`,
  }),
})
