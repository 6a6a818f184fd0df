import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * A question or a permission that an agent waits for. expire: the agent, or its sandbox, ended meanwhile. time_out: no
 * person was in time.
 */
export const askMachine = machine({
  asked: { reply: 'replied', reject: 'rejected', expire: 'expired', time_out: 'timed_out' },
  replied: {},
  rejected: {},
  expired: {},
  timed_out: {},
})

export type AskEvent = EventOf<typeof askMachine>
export type AskState = StateOf<typeof askMachine>
