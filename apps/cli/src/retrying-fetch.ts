import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetch } from '@svc/sdk'

/** A platform that starts anew is back by then. */
const timeoutMs = 30_000
const retryMs = 250

/**
 * Waits for a platform that refuses connections: a refused request was never sent, so that a write is as safe as a
 * read. For agents, whose turn would end with the command.
 */
export function retryingFetch(send: Fetch): Fetch {
  return async (url, init) => {
    const end = Date.now() + timeoutMs
    for (;;) {
      try {
        return await send(url, init)
      } catch (error) {
        if (!isRefused(error) || Date.now() + retryMs > end) throw error
        await sleep(retryMs, undefined, init.signal ? { signal: init.signal } : {})
      }
    }
  }
}

/** fetch keeps the reason in its cause; of several addresses it keeps one each. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.every(isRefused)
  return ('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause)
}
