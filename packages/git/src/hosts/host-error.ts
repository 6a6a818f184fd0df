import { ServiceError } from '@svc/errors'
import type { ApiAnswer } from './api-request.ts'
import { textAt } from './json.ts'

/** The longest that a host's own wish to be left alone is passed on. */
const maxRetryAfter = 3_600

/**
 * The meaning of an answer that is neither a new branch nor a known one. A host that is in trouble, or that asks for
 * patience, is unavailable for a while; any other refusal of the API is not the last word: the push decides.
 */
export function hostRefusal(answer: ApiAnswer): { readonly kind: 'undecided'; readonly message: string } {
  const { status, headers } = answer
  const limited = status === 429 || (status === 403 && isRateLimit(headers))
  if (limited || status >= 500) {
    const text = limited ? 'asks for fewer requests' : 'has a fault of its own'
    throw new ServiceError('git_mirror_unavailable', `The repository host ${text}; try again later.`, {
      retry_after: retryAfter(headers),
    })
  }
  return { kind: 'undecided', message: `${status} ${textAt(answer.body, 'message') ?? ''}`.trim() }
}

function isRateLimit(headers: ApiAnswer['headers']): boolean {
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
}

/** `Retry-After` in seconds or as a date, or GitHub's `X-RateLimit-Reset`. */
function retryAfter(headers: ApiAnswer['headers']): number {
  const given = headers['retry-after'] ?? ''
  const reset = headers['x-ratelimit-reset']
  const until = typeof reset === 'string' && /^\d+$/.test(reset) ? Number(reset) * 1_000 : Date.parse(given)
  const seconds = /^\d+$/.test(given) ? Number(given) : Math.ceil((until - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), maxRetryAfter) : 5
}
