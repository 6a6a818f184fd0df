import type { AuditEntry } from '@svc/context'

interface Subject {
  readonly account_id: string
  readonly project_id: string
}

/** The event of something that was done to the triggers of a project; `what` is the path below them. */
export function ofTriggers(action: string, { account_id, project_id }: Subject, what: string): AuditEntry {
  return { account_id, project_id, action, target: `projects/${project_id}/triggers/${what}` }
}
