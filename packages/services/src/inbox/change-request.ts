import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Open change requests that the person may merge, or has opened. Another head is another version. */
export const changeRequest = adapterOf({
  rows: (scope) =>
    inboxItems.openChanges(scope.holding('project.read'), {
      user_id: scope.user_id,
      mergeable: scope.holding('project.gitops.merge'),
    }),
  entry: (row) => ({
    project_id: row.project_id,
    session_id: row.origin_session_id,
    cr_number: row.number,
    title: row.title,
    phrase: `#${row.number}: review ${nameOf(row)} for ${row.base_ref}`,
    at: row.updated_at,
    path: `/projects/${row.project_id}/change-requests/${row.number}`,
  }),
})

/** The branch of a session is named by an id that says nothing to a person. */
function nameOf({ head_ref, origin_session_id }: inboxItems.OpenChange): string {
  return head_ref === origin_session_id ? 'what an agent did' : head_ref
}
