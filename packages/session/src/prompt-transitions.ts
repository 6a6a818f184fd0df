import { type PromptState, promptStates } from './records.ts'

/**
 * deliver: the sandbox took it. begin, complete, fail: its turn. cancel: withdrawn before its turn began. requeue: the
 * sandbox that had taken it is no more, so the next one gets it.
 */
export const promptEvents = ['deliver', 'begin', 'complete', 'fail', 'cancel', 'requeue'] as const
export type PromptEvent = (typeof promptEvents)[number]

/** Reports may overtake one another: a turn may begin, or even end, before its delivery was written down. */
const table: Readonly<Record<PromptState, Readonly<Partial<Record<PromptEvent, PromptState>>>>> = {
  pending: { deliver: 'delivered', begin: 'running', complete: 'done', fail: 'failed', cancel: 'cancelled' },
  delivered: { begin: 'running', complete: 'done', fail: 'failed', cancel: 'cancelled', requeue: 'pending' },
  running: { complete: 'done', fail: 'failed' },
  done: {},
  failed: {},
  cancelled: {},
}

export function promptStateAfter(state: PromptState, event: PromptEvent): PromptState | null {
  return table[state][event] ?? null
}

/** The states that an UPDATE for `event` may start from. */
export function promptStatesAccepting(event: PromptEvent): PromptState[] {
  return promptStates.filter((state) => table[state][event] !== undefined)
}

/** What every acceptance of `event` leads to: the table gives each event one state. */
export function promptStateOf(event: PromptEvent): PromptState {
  const [from] = promptStatesAccepting(event)
  const to = from === undefined ? null : promptStateAfter(from, event)
  if (to === null) throw new Error(`Nothing accepts ${event}`)
  return to
}
