import { type EventOf, machine, type StateOf } from '@svc/machine'

/** Something that an agent shows to a person. Resubmitted, it is the next version of the same. */
export const reviewMachine = machine({
  needs_you: {
    approve: 'approved',
    request_changes: 'changes_requested',
    reject: 'rejected',
    dismiss: 'dismissed',
    withdraw: 'withdrawn',
  },
  changes_requested: { resubmit: 'needs_you' },
  approved: {},
  rejected: {},
  dismissed: {},
  withdrawn: {},
})

export type ReviewStatus = StateOf<typeof reviewMachine>
export type ReviewEvent = EventOf<typeof reviewMachine>

/** The answers of a person to a review item, each an event of its machine. */
export const reviewVerdicts = [
  'approve',
  'request_changes',
  'reject',
  'dismiss',
] as const satisfies readonly ReviewEvent[]
export type ReviewVerdict = (typeof reviewVerdicts)[number]

export const reviewKinds = ['output', 'decision'] as const
export type ReviewKind = (typeof reviewKinds)[number]

export const reviewRisks = ['none', 'low', 'medium', 'high'] as const
export type ReviewRisk = (typeof reviewRisks)[number]
