import type { Session } from '@svc/sdk'

/** The name of a session for a person: its own name, else the start of its id. */
export function sessionName({ name, session_id }: Pick<Session, 'name' | 'session_id'>): string {
  return name ?? session_id.slice(0, 8)
}

/** True while more may still happen in it. */
export function isLive({ status }: Pick<Session, 'status'>): boolean {
  return !['stopped', 'failed', 'completed'].includes(status)
}
