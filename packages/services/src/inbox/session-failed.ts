import { inboxItems } from '@svc/db'
import { sessionTitle } from '../sessions/summaries/title.ts'
import { adapterOf } from './adapter.ts'
import { waiterOf } from './scope.ts'

/** Sessions that failed: the person's own, and those of triggers of projects that they manage. */
export const sessionFailed = adapterOf({
  rows: (scope) => inboxItems.failedSessions(scope.holding('project.session.read'), waiterOf(scope)),
  entry: (row) => ({
    project_id: row.project_id,
    session_id: row.session_id,
    title: sessionTitle(row),
    phrase: row.failure?.message ?? 'It failed',
    at: row.updated_at,
    path: `/projects/${row.project_id}/sessions/${row.session_id}`,
  }),
})
