/** Seconds after each failed try, of which the last ends 23 h 36 min after the first. */
export const retrySeconds: readonly number[] = [5, 60, 300, 1800, 7200, 14_400, 28_800, 32_400]

const jitter = 0.1
/** Seconds: no answer delays a try by more. */
const maxRetryAfter = 3600

export interface FailedTry {
  /** Tries so far, this one included. */
  readonly attempts: number
  /** Seconds, as the answer's `Retry-After` says. */
  readonly retry_after?: number | undefined
  /** Between 0 and 1. */
  readonly random: number
}

/** Milliseconds until the next try, ±10 %; null when there is none left. */
export function nextTry(
  { attempts, retry_after = 0, random }: FailedTry,
  schedule: readonly number[] = retrySeconds,
): number | null {
  const seconds = schedule[attempts - 1]
  if (seconds === undefined) return null
  const wait = seconds * (1 - jitter + 2 * jitter * random)
  return Math.round(1000 * Math.max(wait, Math.min(retry_after, maxRetryAfter)))
}

/** The seconds of a `Retry-After` (RFC 9110, section 10.2.3), as a number or a date; undefined for anything else. */
export function retryAfterSeconds(header: string | null | undefined, now: Date): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}
