/** The end of an attempt: an HTTP status, or no answer at all. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retry_after: number | null }
  | { readonly kind: 'no_response' }

const delaysMs = [250, 500] as const
const temporary = new Set([502, 503, 504])

/** Longer waits are the caller's to decide: the error carries `retry_after`. */
const maxWaitSeconds = 30

/**
 * Milliseconds to wait before repeating a request, or null when it must not be repeated.
 * Reads are repeated twice on a temporary failure or no response, a DELETE only when nothing came back, other writes never.
 * @param retries how often it was repeated already
 */
export function retryDelay(method: string, outcome: AttemptOutcome, retries: number): number | null {
  const delay = delaysMs[retries]
  if (delay === undefined) return null
  const read = method === 'GET' || method === 'HEAD'
  if (outcome.kind === 'no_response') return read || method === 'DELETE' ? delay : null
  if (!read || !temporary.has(outcome.status)) return null
  if (outcome.retry_after === null) return delay
  return outcome.retry_after <= maxWaitSeconds ? outcome.retry_after * 1000 : null
}

/** Seconds of a `Retry-After` header, given as a number or as a date; null when there is none. */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}
