import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetch, FetchAnswer } from '@svc/sdk'

const retryMs = 250
/** The wait is reported once it has taken this long. */
const silentMs = 2_000
const maxRetryAfterMs = 10_000

export interface Waiting {
  /** The time that a platform that is away is waited for; 0 for none. */
  readonly wait_ms: number
  /** Told once, with the host. */
  readonly onWait: (host: string) => void
}

/**
 * Waits for a platform that is away. A connection that could not be made sent nothing, so that a write is as safe as a
 * read; a 502 or 503 with `Retry-After` is waited out for reads alone. What was sent is never sent again. For agents, whose
 * turn would end with the command.
 */
export function retryingFetch(send: Fetch, { wait_ms, onWait }: Waiting): Fetch {
  if (wait_ms === 0) return send
  return async (url, init) => {
    const began = Date.now()
    const end = began + wait_ms
    let reported = false
    const pause = async (ms: number) => {
      if (!reported && Date.now() + ms - began >= silentMs) {
        reported = true
        onWait(new URL(url).host)
      }
      await sleep(ms, undefined, init.signal ? { signal: init.signal } : {})
    }
    for (;;) {
      try {
        const answer = await send(url, init)
        const ms = retryAfterMs(answer, init.method)
        if (ms === null || Date.now() + ms > end) return answer
        await answer.body?.cancel()
        await pause(ms)
      } catch (error) {
        if (!isUnsent(error) || Date.now() + retryMs > end) throw error
        await pause(retryMs)
      }
    }
  }
}

/** Null for an answer that is to be handed on. */
function retryAfterMs({ status, headers }: FetchAnswer, method = 'GET'): number | null {
  if ((status !== 502 && status !== 503) || !['GET', 'HEAD'].includes(method.toUpperCase())) return null
  const seconds = Number(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : null
}

/** Failures of a connection that was never made. A reset is none of them: it may come after the request. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** fetch keeps the reason in its cause; of several addresses it keeps one each. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnsent)
  const { code } = error as { readonly code?: unknown }
  return (typeof code === 'string' && unsent.has(code)) || isUnsent(error.cause)
}
