import { ServiceError } from '@svc/errors'

/** All statuses of the document; the runtime writes only provisioning, running, stopped and failed. */
export const sessionStatuses = [
  'queued',
  'branching',
  'provisioning',
  'running',
  'stopped',
  'failed',
  'completed',
] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/**
 * ready: the sandbox is live and reachable. stop: asked for, or the idle sweep. exit: the provider confirmed that a
 * running sandbox ended by itself. fail: provisioning errored out, or the sandbox is gone for good.
 * start: resume in place. restart: a new sandbox identity on the same branch.
 */
export const sessionEvents = ['ready', 'stop', 'exit', 'fail', 'start', 'restart'] as const
export type SessionEvent = (typeof sessionEvents)[number]

const table: Readonly<Record<SessionStatus, Readonly<Partial<Record<SessionEvent, SessionStatus>>>>> = {
  queued: {},
  branching: {},
  provisioning: { ready: 'running', stop: 'stopped', fail: 'failed', restart: 'provisioning' },
  running: { stop: 'stopped', exit: 'stopped', fail: 'failed', restart: 'provisioning' },
  stopped: { start: 'provisioning', restart: 'provisioning', fail: 'failed' },
  failed: { start: 'provisioning', restart: 'provisioning' },
  completed: {},
}

export function sessionStatusAfter(status: SessionStatus, event: SessionEvent): SessionStatus {
  const next = table[status][event]
  if (next === undefined) throw new ServiceError('conflict', `A ${status} session does not accept ${event}`)
  return next
}

/** The statuses that an UPDATE for `event` may start from. */
export function sessionStatusesAccepting(event: SessionEvent): SessionStatus[] {
  return sessionStatuses.filter((status) => table[status][event] !== undefined)
}
