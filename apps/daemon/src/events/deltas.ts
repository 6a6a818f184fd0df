import { rememberIn } from '../shared/remember.ts'

/** Messages that are spoken at one time are few: one, and those of subagents. */
const rememberedMessages = 1_000

/** The first piece of an answer at once; then they are gathered, each message is told of at most once in `everyMs`. */
export interface Deltas {
  add(message_id: string, delta: string): void
  /** Before anything else is told, so that pieces never come after the message that they are part of. */
  flush(): void
}

export function createDeltas(
  {
    everyMs,
    maxChars,
  }: {
    readonly everyMs: number
    /** As much of a message as is kept of it at its end: more of it is passed on by no runtime. */
    readonly maxChars: number
  },
  emit: (message_id: string, delta: string) => void,
): Deltas {
  const waiting = new Map<string, string>()
  const sizes = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  const emitAll = (): boolean => {
    const pieces = [...waiting]
    waiting.clear()
    for (const [message_id, delta] of pieces) emit(message_id, delta)
    return pieces.length > 0
  }
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    emitAll()
  }
  /** As long as pieces come, they are told at this pace. */
  const pace = (): void => {
    timer = emitAll() ? setTimeout(pace, everyMs) : null
  }
  return {
    add: (message_id, whole) => {
      const size = sizes.get(message_id) ?? 0
      const delta = whole.slice(0, maxChars - size)
      if (delta === '') return
      rememberIn(sizes, message_id, size + delta.length, rememberedMessages)
      waiting.set(message_id, (waiting.get(message_id) ?? '') + delta)
      if (timer === null) pace()
    },
    flush,
  }
}
