import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Calls of connectors whose end was not seen, for people who may look in the other service and settle them. */
export const unknownCall: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.unknownCalls(ctx.db, scope.holding('project.review.act'))
  return rows.map((row) => ({
    id: row.call_id,
    version: '1',
    project_id: row.project_id,
    session_id: row.session_id,
    slug: row.slug,
    title: `${row.slug}.${row.action}`,
    phrase: 'May have happened: look in the other service, and settle it',
    risk: 'high' as const,
    at: row.ended_at,
    path: `/projects/${row.project_id}/connector-calls/${row.call_id}`,
  }))
}
