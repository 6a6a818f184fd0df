import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Triggers whose last fire failed, for people who may fire them again. */
export const triggerFailure: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.failedTriggers(ctx.db, scope.holding('project.trigger.fire'))
  return rows.map((row) => ({
    id: `${row.project_id}.${row.slug}`,
    version: row.fire_id ?? row.last_attempt_at?.toISOString() ?? 'none',
    project_id: row.project_id,
    session_id: row.session_id,
    slug: row.slug,
    fire_id: row.fire_id,
    title: row.slug,
    phrase: row.last_error === null ? 'Did not fire' : `Did not fire: ${row.last_error}`,
    at: row.last_attempt_at ?? ctx.now(),
    path: `/projects/${row.project_id}/triggers/${row.slug}`,
  }))
}
