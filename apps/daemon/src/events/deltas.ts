/** Gathers the small pieces of an answer, so that each message is told of at most once in `everyMs`. */
export interface Deltas {
  add(message_id: string, delta: string): void
  /** Before anything else is told, so that pieces never come after the message that they are part of. */
  flush(): void
}

export function createDeltas(everyMs: number, tell: (message_id: string, delta: string) => void): Deltas {
  const waiting = new Map<string, string>()
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    const pieces = [...waiting]
    waiting.clear()
    for (const [message_id, delta] of pieces) tell(message_id, delta)
  }
  return {
    add: (message_id, delta) => {
      waiting.set(message_id, (waiting.get(message_id) ?? '') + delta)
      timer ??= setTimeout(flush, everyMs)
    },
    flush,
  }
}
