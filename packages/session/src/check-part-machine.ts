import { type EventOf, machine, type StateOf } from '@svc/machine'

/** One worker's part of a run of checks. fail: a check could not be made; the others were. */
export const checkPartMachine = machine({
  running: { finish: 'done', fail: 'failed' },
  done: {},
  failed: {},
})

export type CheckPartState = StateOf<typeof checkPartMachine>
export type CheckPartEvent = EventOf<typeof checkPartMachine>
