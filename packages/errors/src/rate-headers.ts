import type { RateLimitState, ServiceError } from './service-error.ts'

/** Rate limit headers by name, in lower case. */
export type RateHeaders = Readonly<Record<string, string>>

export function rateHeaders({ limit, remaining, reset }: RateLimitState): RateHeaders {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  }
}

/** The headers of a refusal that tell when to come again. */
export function retryHeaders({ details: { retry_after, rate_limit } }: ServiceError): RateHeaders {
  return {
    ...(rate_limit === undefined ? {} : rateHeaders(rate_limit)),
    ...(retry_after === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retry_after))) }),
  }
}
