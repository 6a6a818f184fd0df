import { createHash } from 'node:crypto'
import { type Db, preparedMark } from '@svc/db'
import type { RateLimitState } from '@svc/errors'
import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

export interface RateVerdict extends RateLimitState {
  readonly allowed: boolean
}

export type RateLimit = (key: string) => Promise<RateVerdict>

export interface RateLimitOptions {
  /** The name of the thing counted; limits of one name share their counters. */
  readonly name: string
  /** Requests that a window of a minute takes. */
  readonly points: number
}

const windowSeconds = 60

/**
 * A fixed window for each key, counted in the database for all processes of the API together. A key that is over its
 * limit is refused from memory until its window ends, and while the database is away each process counts for itself.
 */
export function sharedRateLimit(db: Db, { name, points }: RateLimitOptions): RateLimit {
  const limits = { keyPrefix: name, points, duration: windowSeconds }
  const limiter = new RateLimiterPostgres({
    ...limits,
    storeClient: queriesOf(db),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory(limits),
  })
  return async (key) => {
    try {
      return verdict(points, true, await limiter.consume(shortened(key)))
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return verdict(points, false, refused)
      throw refused
    }
  }
}

interface StoreQuery {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The library asks a client of node-postgres; it is given the connections that are there. */
function queriesOf(db: Db) {
  return {
    query: ({ text, values }: StoreQuery) =>
      db.executeQuery(CompiledQuery.raw(preparedMark + text, [...values])),
  }
}

/** The column holds 255 characters with the name before them. */
function shortened(key: string): string {
  return key.length <= 128 ? key : createHash('sha256').update(key).digest('hex')
}

function verdict(limit: number, allowed: boolean, state: RateLimiterRes): RateVerdict {
  return {
    allowed,
    limit,
    remaining: allowed ? Math.max(0, state.remainingPoints) : 0,
    reset: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  }
}
