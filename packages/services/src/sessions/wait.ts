import type { DatabaseListener } from '@svc/db'

interface WaitInput<T> {
  readonly listener: DatabaseListener
  readonly session_id: string
  readonly signal: AbortSignal
  readonly timeout_ms: number
  /** Undefined: not yet. */
  readonly check: () => Promise<T | undefined>
}

const recheckMs = 500

/** Asks again whenever the session is reported to have changed; undefined when time ran out. */
export async function waitForSession<T>(input: WaitInput<T>): Promise<T | undefined> {
  const deadline = Date.now() + input.timeout_ms
  for (;;) {
    const change = nextChange(input, Math.min(recheckMs, deadline - Date.now()))
    const found = await input.check()
    if (found !== undefined || input.signal.aborted || Date.now() >= deadline) {
      change.cancel()
      return found
    }
    await change.promise
  }
}

function nextChange({ listener, session_id, signal }: WaitInput<unknown>, ms: number) {
  let cancel = () => {}
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(() => cancel(), Math.max(0, ms))
    const unsubscribe = listener.subscribe('session', () => cancel(), session_id)
    cancel = () => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', cancel)
      resolve()
    }
    signal.addEventListener('abort', cancel)
  })
  return { promise, cancel }
}
