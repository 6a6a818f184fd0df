import type { AuditEntry } from '@svc/context'
import type { ChangeRequestRow } from '@svc/db'

type Subject = Pick<ChangeRequestRow, 'account_id' | 'project_id' | 'cr_id'>

/** The event of something that was done to a change request. */
export function ofChangeRequest(action: string, { account_id, project_id, cr_id }: Subject): AuditEntry {
  return { account_id, project_id, action, target: `projects/${project_id}/change-requests/${cr_id}` }
}
