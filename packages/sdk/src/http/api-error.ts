import { ApiError, type Issue } from '../errors.ts'
import type { FetchAnswer } from '../options.ts'
import { retryAfterSeconds } from './retry.ts'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'
}

/** The body as a record; an empty one when it is none. */
export function recordOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Reads an error answer: the API's own shape, the rate limiter's, or the text of a proxy in between. */
export function apiErrorFrom(response: FetchAnswer, text: string, now: number): ApiError {
  const { error, message, status: _status, code, issues, retry_after_seconds, ...details } = recordOf(text)
  const words = [message, details['error_description'], error].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  // Protocol-shaped bodies put their machine code where ours has `true` or a sentence.
  const named = typeof error === 'string' && /^[a-z_]+$/.test(error) ? error : null
  const wait = retryAfterSeconds(response.headers.get('retry-after'), now)
  return new ApiError({
    status: response.status,
    code: typeof code === 'string' ? code : named,
    message: words ?? `The API answered ${`${response.status} ${response.statusText}`.trim()}`,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    request_id: response.headers.get('x-request-id'),
    retry_after: wait ?? (typeof retry_after_seconds === 'number' ? retry_after_seconds : null),
    details,
  })
}
