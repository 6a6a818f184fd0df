/** The output of running tools: of each call the newest, at most once in `everyMs`; what is older is of no use. */
export interface Outputs {
  add(message_id: string, call_id: string, output: string): void
  /** The call has ended: its whole output is told of instead. */
  end(call_id: string): void
}

export function createOutputs(
  everyMs: number,
  emit: (message_id: string, call_id: string, output: string) => void,
): Outputs {
  const waiting = new Map<string, readonly [message_id: string, output: string]>()
  const timers = new Map<string, NodeJS.Timeout>()
  const pace = (call_id: string): void => {
    const newest = waiting.get(call_id)
    waiting.delete(call_id)
    timers.delete(call_id)
    if (newest === undefined) return
    emit(newest[0], call_id, newest[1])
    timers.set(call_id, setTimeout(pace, everyMs, call_id).unref())
  }
  return {
    add: (message_id, call_id, output) => {
      waiting.set(call_id, [message_id, output])
      if (!timers.has(call_id)) pace(call_id)
    },
    end: (call_id) => {
      waiting.delete(call_id)
      clearTimeout(timers.get(call_id))
      timers.delete(call_id)
    },
  }
}
