import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * deliver: the sandbox took it, or is given it once more by a creation that is tried again. begin, complete, fail: its
 * turn. interrupt: the sandbox ended in the middle of its turn. cancel: withdrawn before its turn began. requeue: the
 * sandbox that had taken it is no more, so the next one gets it.
 *
 * Reports may overtake one another: a turn may begin, or even end, before its delivery was written down.
 */
export const promptMachine = machine({
  pending: { deliver: 'delivered', begin: 'running', complete: 'done', fail: 'failed', cancel: 'cancelled' },
  delivered: {
    deliver: 'delivered',
    begin: 'running',
    complete: 'done',
    fail: 'failed',
    cancel: 'cancelled',
    requeue: 'pending',
  },
  running: { complete: 'done', fail: 'failed', interrupt: 'failed' },
  done: {},
  failed: {},
  cancelled: {},
})

export type PromptState = StateOf<typeof promptMachine>
export type PromptEvent = EventOf<typeof promptMachine>
