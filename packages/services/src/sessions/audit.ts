import type { AuditEntry } from '@svc/context'
import type { sessions } from '@svc/db'

type Subject = Pick<sessions.SessionView, 'account_id' | 'project_id' | 'session_id'>

/** The event of something that was done to a session; `what` is the path below it. */
export function ofSession(action: string, session: Subject, what?: string): AuditEntry {
  const { account_id, project_id, session_id } = session
  const target = `projects/${project_id}/sessions/${session_id}`
  return { account_id, project_id, session_id, action, target: what ? `${target}/${what}` : target }
}
