import { machine, type StateOf } from '@svc/machine'

/**
 * A call of a model, from its admission to its price. cut: ended at its hold, or by the fence of a process that lost
 * it. expire: the process that ran it renewed it no more. A call that is refused begins and ends as that.
 */
export const callMachine = machine({
  admitted: { first_byte: 'streaming', finish: 'settled', fail: 'failed', cut: 'cut', expire: 'lost' },
  streaming: { finish: 'settled', fail: 'failed', cut: 'cut', expire: 'lost' },
  refused: {},
  settled: {},
  failed: {},
  cut: {},
  lost: {},
})

export const callStatuses = callMachine.states

export type CallStatus = StateOf<typeof callMachine>

/** The states in which money is held for a call. */
export const liveCallStatuses: readonly CallStatus[] = callMachine.from('finish')
