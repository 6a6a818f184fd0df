import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Calls of connectors whose end was not seen, for people who may look in the other service and settle them. */
export const unknownCall = adapterOf({
  rows: (scope) => inboxItems.unknownCalls(scope.holding('project.review.act')),
  entry: (row) => ({
    project_id: row.project_id,
    session_id: row.session_id,
    slug: row.slug,
    title: `${row.slug}.${row.action}`,
    phrase: 'May have happened: look in the other service, and settle it',
    risk: 'high' as const,
    at: row.ended_at,
    path: `/projects/${row.project_id}/connector-calls/${row.call_id}`,
  }),
})
