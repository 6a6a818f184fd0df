import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Triggers whose last fire failed, for people who may fire them again. */
export const triggerFailure = adapterOf({
  rows: (scope) => inboxItems.failedTriggers(scope.holding('project.trigger.fire')),
  entry: (row, now) => ({
    project_id: row.project_id,
    session_id: row.session_id,
    slug: row.slug,
    fire_id: row.fire_id,
    title: row.slug,
    phrase: row.last_error === null ? 'Did not fire' : `Did not fire: ${row.last_error}`,
    at: row.last_attempt_at ?? now,
    path: `/projects/${row.project_id}/triggers/${row.slug}`,
  }),
})
