import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Open change requests that the person may merge, or has opened. Another head is another version. */
export const changeRequest: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.openChanges(ctx.db, scope.holding('project.read'))
  return rows
    .filter((row) => row.created_by === scope.user_id || scope.may(row.project_id, 'project.gitops.merge'))
    .map((row) => ({
      id: row.cr_id,
      version: row.head_commit_sha ?? 'none',
      project_id: row.project_id,
      session_id: row.origin_session_id,
      cr_number: row.number,
      title: row.title,
      phrase: `#${row.number}: review ${nameOf(row)} for ${row.base_ref}`,
      at: row.updated_at,
      path: `/projects/${row.project_id}/change-requests/${row.number}`,
    }))
}

/** The branch of a session is named by an id that says nothing to a person. */
function nameOf({ head_ref, origin_session_id }: inboxItems.OpenChange): string {
  return head_ref === origin_session_id ? 'what an agent did' : head_ref
}
