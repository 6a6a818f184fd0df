import type { RateLimitState, ServiceError } from '@svc/errors'

export type RateHeaders = Readonly<Record<string, string>>

export function rateHeaders({ limit, remaining, reset }: RateLimitState): RateHeaders {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  }
}

/** What a refusal tells about when to come again. */
export function retryHeaders({ details: { retry_after, rate_limit } }: ServiceError): RateHeaders {
  return {
    ...(rate_limit === undefined ? {} : rateHeaders(rate_limit)),
    ...(retry_after === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retry_after))) }),
  }
}
