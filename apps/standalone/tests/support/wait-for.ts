import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  /** Only how long a failure takes to show: nothing that works comes near it. */
  readonly timeout_ms?: number
  readonly every_ms?: number
}

/** Asks until the answer is something; the last refusal or the subject is named when it never is. */
export async function waitFor<T>(
  subject: string,
  ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeout_ms = 180_000, every_ms = 100 }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeout_ms
  let cause: unknown
  for (;;) {
    try {
      const found = await ask()
      if (found !== undefined && found !== null && found !== false) return found
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (Date.now() > deadline) throw new Error(`It never came to this: ${subject}`, { cause })
    await sleep(every_ms)
  }
}
