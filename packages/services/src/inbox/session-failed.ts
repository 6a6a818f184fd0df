import { inboxItems } from '@svc/db'
import { sessionTitle } from '../sessions/summaries/title.ts'
import type { InboxAdapter } from './kinds.ts'

/** Sessions that failed: the person's own, and those of triggers of projects that they manage. */
export const sessionFailed: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.failedSessions(ctx.db, scope.holding('project.session.read'))
  return rows
    .filter(
      ({ created_by, origin, project_id }) =>
        created_by === scope.user_id ||
        (origin === 'trigger' && scope.may(project_id, 'project.members.manage')),
    )
    .map((row) => ({
      id: row.session_id,
      // The one that is started again, and fails again, is back.
      version: row.provisioning_at.toISOString(),
      project_id: row.project_id,
      session_id: row.session_id,
      title: sessionTitle(row),
      phrase: row.failure?.message ?? 'It failed',
      at: row.updated_at,
      path: `/projects/${row.project_id}/sessions/${row.session_id}`,
    }))
}
