import { type EventOf, machine, type StateOf } from '@svc/machine'

/** The branch of a deleted session: in the repository, in the object store as well, and no longer in the repository. */
export const branchMachine = machine({
  kept: { bundle: 'bundled', remove: 'removed' },
  bundled: { bundle: 'bundled', remove: 'removed' },
  removed: {},
})

export type SessionBranchState = StateOf<typeof branchMachine>
export type SessionBranchEvent = EventOf<typeof branchMachine>
