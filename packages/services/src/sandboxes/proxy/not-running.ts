import type { sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** A read of a sandbox never wakes it: a caller who wants it running starts it. */
export function notRunning({
  session_id,
  status,
}: Pick<sessions.SessionView, 'session_id' | 'status'>): ServiceError {
  if (status === 'provisioning') {
    const message = 'The session is starting; ask again in a moment'
    return new ServiceError('session_starting', message, {
      session_id,
      session_status: status,
      retry_after: 2,
    })
  }
  return new ServiceError(
    'SESSION_NOT_RUNNING',
    `The session is ${status}; start it (POST …/sessions/${session_id}/start) or send it a prompt`,
    { session_id, session_status: status },
  )
}
