import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * All statuses of the document; the runtime writes only provisioning, running, stopped and failed.
 *
 * ready: the sandbox is live and reachable. stop: asked for, or the idle sweep. exit: the provider confirmed that a
 * running sandbox ended by itself. fail: provisioning errored out, or the sandbox is gone for good.
 * start: resume in place. restart: a new sandbox identity on the same branch.
 */
export const sessionMachine = machine({
  queued: {},
  branching: {},
  provisioning: { ready: 'running', stop: 'stopped', fail: 'failed', restart: 'provisioning' },
  running: { stop: 'stopped', exit: 'stopped', fail: 'failed', restart: 'provisioning' },
  stopped: { start: 'provisioning', restart: 'provisioning', fail: 'failed' },
  failed: { start: 'provisioning', restart: 'provisioning' },
  completed: {},
})

export type SessionStatus = StateOf<typeof sessionMachine>
export type SessionTransition = EventOf<typeof sessionMachine>
