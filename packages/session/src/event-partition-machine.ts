import { type EventOf, machine, type StateOf } from '@svc/machine'

/** A month of the log of sessions: written, being copied to the object store, there, and no longer in the database. */
export const eventPartitionMachine = machine({
  open: { seal: 'sealing' },
  sealing: { finish: 'sealed' },
  sealed: { drop: 'dropped' },
  dropped: {},
})

export type EventPartitionState = StateOf<typeof eventPartitionMachine>
export type EventPartitionEvent = EventOf<typeof eventPartitionMachine>
