import type { Session } from '@svc/sdk'
import type { SessionLog } from '../../conversation/session-log.ts'
import type { SummaryState } from './states.ts'

/** One word for a session, the same as in the list. */
export function sessionState(
  { status }: Pick<Session, 'status'>,
  { busy_since }: Pick<SessionLog, 'busy_since'>,
  waiting: boolean,
): SummaryState {
  switch (status) {
    case 'queued':
    case 'branching':
    case 'provisioning':
      return 'starting'
    case 'running':
      return waiting ? 'waiting' : busy_since === null ? 'idle' : 'working'
    case 'failed':
      return 'failed'
    case 'stopped':
    case 'completed':
      return 'stopped'
  }
}
