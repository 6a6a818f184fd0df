import { setTimeout as pause } from 'node:timers/promises'
import { ChannelRefused, RateLimited } from '@svc/channel'
import type { Call } from '../web/client.ts'
import { filterOf, SyncAnswer } from './answer.ts'

const graceMs = 20_000
const maxBytes = 64 * 1024 * 1024
const maxPauseMs = 60_000

/** The next answer since a place; null where it is to be asked for again. */
export type Poll = (since: string | null, signal: AbortSignal) => Promise<SyncAnswer | null>

/** Asks for what happened since a place. A homeserver that fails twice in a row is left to the caller. */
export function pollsOf(call: Call, poll_ms: number): Poll {
  let isAnswered = false
  return async (since, signal) => {
    const timeout = since === null ? 0 : poll_ms
    const query = {
      ...{ filter: filterOf(since), timeout: String(timeout), set_presence: 'offline' },
      ...(since === null ? {} : { since }),
    }
    const limits = { timeout_ms: timeout + graceMs, max_bytes: maxBytes }
    try {
      const answer = await call(signal, { path: 'v3/sync', query, ...limits }, SyncAnswer)
      isAnswered = true
      return answer
    } catch (error) {
      if (error instanceof RateLimited) {
        await pause(Math.min(error.retry_after_ms, maxPauseMs), undefined, { signal })
        return null
      }
      if (error instanceof ChannelRefused || !isAnswered) throw error
      isAnswered = false
      await pause(1_000, undefined, { signal })
      return null
    }
  }
}
