import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * fire: it has its session. queue: no room, or its turn has not come. skip: it is not wanted. fail: it cannot be. miss:
 * its account was suspended. `deduped`, and the slots that no scheduler saw, are written as such and have no life.
 */
export const fireMachine = machine({
  pending: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed', miss: 'missed' },
  fired: {},
  queued: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed', miss: 'missed' },
  skipped: {},
  deduped: {},
  missed: {},
  failed: {},
})

export type FireStatus = StateOf<typeof fireMachine>
export type FireEvent = EventOf<typeof fireMachine>
