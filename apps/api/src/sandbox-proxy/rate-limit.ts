import { limits } from '@svc/contract'
import type { Db } from '@svc/db'
import { type RateLimit, sharedRateLimit } from '../rate-limit/shared.ts'

/** A fixed window per sandbox. */
export function proxyRateLimit(db: Db): RateLimit {
  return sharedRateLimit(db, { name: 'sandbox', points: limits.proxyPerMinute })
}
