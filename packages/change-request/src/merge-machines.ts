import { type EventOf, machine, type StateOf } from '@svc/machine'

/** A merge that a caller asked for. merge: the base has moved. refuse: it has not, and the caller is told why. */
export const mergeAttemptMachine = machine({
  pending: { merge: 'merged', refuse: 'refused' },
  merged: {},
  refused: {},
})

/** A planned move of the base. move: git has it. abandon: git does not, and never will. */
export const mergeIntentMachine = machine({
  planned: { move: 'moved', abandon: 'abandoned' },
  moved: {},
  abandoned: {},
})

export type MergeAttemptStatus = StateOf<typeof mergeAttemptMachine>
export type MergeIntentState = StateOf<typeof mergeIntentMachine>
export type MergeIntentEvent = EventOf<typeof mergeIntentMachine>
