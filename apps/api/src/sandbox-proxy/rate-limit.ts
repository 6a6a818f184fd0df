import { limits } from '@svc/contract'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export interface RateVerdict {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly retry_after: number
}

export type RateLimit = (sandbox: string) => Promise<RateVerdict>

/** A fixed window per sandbox, counted by each process of the API for itself. */
export function proxyRateLimit(points: number = limits.proxyPerMinute): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: 60 })
  return async (sandbox) => {
    try {
      return verdict(points, true, await limiter.consume(sandbox))
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return verdict(points, false, refused)
      throw refused
    }
  }
}

function verdict(points: number, allowed: boolean, state: RateLimiterRes): RateVerdict {
  const reset = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
  return {
    allowed,
    retry_after: reset,
    headers: {
      'X-RateLimit-Limit': String(points),
      'X-RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
      'X-RateLimit-Reset': String(reset),
    },
  }
}

/** The one body that keeps its own shape. */
export function rateLimitBody(retry_after: number) {
  return {
    error: 'rate_limit_exceeded',
    message: `This sandbox has had ${limits.proxyPerMinute} requests within a minute; wait ${retry_after} seconds`,
    retry_after_seconds: retry_after,
  }
}
