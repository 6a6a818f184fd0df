import type { Session } from '@svc/sdk'

export type SessionVerb = 'stop' | 'start' | 'restart'

const verbs: Readonly<Record<Session['status'], readonly SessionVerb[]>> = {
  queued: [],
  branching: [],
  provisioning: ['stop', 'restart'],
  running: ['stop', 'restart'],
  stopped: ['start', 'restart'],
  failed: ['start', 'restart'],
  completed: [],
}

/** The verbs that the API accepts for a session of this status; it refuses the rest. */
export function verbsOf(status: Session['status']): readonly SessionVerb[] {
  return verbs[status]
}
