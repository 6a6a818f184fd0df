import type { Ask, RuntimeSignal } from '../runtimes/runtime.ts'

/** The asks of the agent that still wait for a person's answer. */
export interface Asks {
  onSignal(signal: RuntimeSignal): void
  readonly pending: readonly Ask[]
  /** The turn or the process that asked is over: no person can answer any more. */
  expire(): void
}

export function createAsks(parts: {
  readonly onAsked: (ask: Ask) => void
  readonly onExpired: (ask: Ask) => void
  /** No answer came within `timeoutMs`. */
  readonly onTimedOut: (ask: Ask) => void
  readonly timeoutMs: number
}): Asks {
  const pending = new Map<string, { readonly ask: Ask; readonly timer: NodeJS.Timeout }>()
  const forget = (request_id: string): void => {
    clearTimeout(pending.get(request_id)?.timer)
    pending.delete(request_id)
  }
  return {
    onSignal: (signal) => {
      if (signal.kind === 'answered') forget(signal.request_id)
      if (signal.kind !== 'asked' || pending.has(signal.ask.request_id)) return
      const { ask } = signal
      const timer = setTimeout(() => {
        pending.delete(ask.request_id)
        parts.onTimedOut(ask)
      }, parts.timeoutMs)
      pending.set(ask.request_id, { ask, timer })
      parts.onAsked(ask)
    },
    get pending() {
      return [...pending.values()].map(({ ask }) => ask)
    },
    expire: () => {
      const gone = [...pending.values()]
      for (const { ask } of gone) forget(ask.request_id)
      for (const { ask } of gone) parts.onExpired(ask)
    },
  }
}
