import { ConnectionError } from '@svc/sdk'
import { setAway, waitForAnswer } from './away.ts'

const firstMs = 1_000
/** With its jitter less than the ten seconds after which a page is whole again. */
const maxMs = 5_000

/**
 * Runs it again whenever it ended, until the signal: after the pause that it names, or one that grows with each failure.
 * A platform that was away and is back ends the pause.
 */
export async function keepOn(signal: AbortSignal, run: () => Promise<number | void>): Promise<void> {
  let delay = firstMs
  while (!signal.aborted) {
    const began = Date.now()
    let pauseMs: number
    try {
      pauseMs = (await run()) ?? firstMs
      delay = firstMs
    } catch (error) {
      if (!signal.aborted && error instanceof ConnectionError) setAway(true)
      if (Date.now() - began > maxMs) delay = firstMs
      pauseMs = delay
      delay = Math.min(maxMs, delay * 2)
    }
    if (!signal.aborted) await waitForAnswer(pauseMs * (0.75 + Math.random() / 2))
  }
}
