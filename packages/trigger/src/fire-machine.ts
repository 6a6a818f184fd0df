import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * fire: it has its session. queue: no room, or its turn has not come. skip: it is not wanted. fail: it cannot be.
 * `deduped` and `missed` are written as such: such an occurrence has no life.
 */
export const fireMachine = machine({
  pending: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed' },
  fired: {},
  queued: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed' },
  skipped: {},
  deduped: {},
  missed: {},
  failed: {},
})

export type FireStatus = StateOf<typeof fireMachine>
export type FireEvent = EventOf<typeof fireMachine>
