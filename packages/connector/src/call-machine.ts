import { type EventOf, machine, type StateOf } from '@svc/machine'

const restored = { restore: 'unknown' } as const

/**
 * A call of a connector. claim: an executor has it. release: that executor died before anything was sent. refuse: a rule, a
 * missing connection or another address forbids it by now. lose: whether it happened is not known. restore: its row came
 * out of a backup. happened, did_not_happen: a person settles what was not known.
 */
export const callMachine = machine({
  awaiting_approval: { approve: 'approved', deny: 'rejected', expire: 'expired', cancel: 'cancelled' },
  approved: { claim: 'executing', refuse: 'denied', cancel: 'cancelled', ...restored },
  executing: {
    succeed: 'succeeded',
    fail: 'failed',
    lose: 'unknown',
    release: 'approved',
    refuse: 'denied',
    ...restored,
  },
  unknown: { happened: 'succeeded', did_not_happen: 'failed' },
  denied: {},
  rejected: {},
  expired: {},
  cancelled: {},
  succeeded: {},
  failed: {},
})

export type CallStatus = StateOf<typeof callMachine>
export type CallEvent = EventOf<typeof callMachine>

/** The decision on a call that waits: written once. */
export const approvalMachine = machine({
  pending: { approve: 'approved', deny: 'denied', expire: 'expired', cancel: 'cancelled' },
  approved: {},
  denied: {},
  expired: {},
  cancelled: {},
})

export type ApprovalStatus = StateOf<typeof approvalMachine>
export type ApprovalEvent = EventOf<typeof approvalMachine>
