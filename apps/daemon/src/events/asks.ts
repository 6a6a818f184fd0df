import type { Ask, RuntimeSignal } from '../runtimes/runtime.ts'

/** What the agent still waits for a person to answer. */
export interface Asks {
  hear(signal: RuntimeSignal): void
  readonly pending: readonly Ask[]
  /** The turn or the process that asked is over: nobody can answer any more. */
  expire(): void
}

export function createAsks(parts: {
  readonly onAsked: (ask: Ask) => void
  readonly onExpired: (ask: Ask) => void
}): Asks {
  const pending = new Map<string, Ask>()
  return {
    hear: (signal) => {
      if (signal.kind === 'answered') pending.delete(signal.request_id)
      if (signal.kind !== 'asked' || pending.has(signal.ask.request_id)) return
      pending.set(signal.ask.request_id, signal.ask)
      parts.onAsked(signal.ask)
    },
    get pending() {
      return [...pending.values()]
    },
    expire: () => {
      const gone = [...pending.values()]
      pending.clear()
      gone.forEach(parts.onExpired)
    },
  }
}
