import type pg from 'pg'

/** The use of a pool of connections at this moment. */
export interface PoolUse {
  readonly active: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** Is told how a pool of connections is used. */
export interface PoolMeter {
  waited(seconds: number): void
  /** Called once, with the function that reads the use. */
  watch(read: () => PoolUse): void
}

/** The pool as Kysely asks it, with each wait for a connection told. */
export function metered(pool: pg.Pool, meter: PoolMeter | undefined) {
  if (meter === undefined) return pool
  meter.watch(() => ({
    active: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return {
    async connect() {
      const began = performance.now()
      const client = await pool.connect()
      meter.waited((performance.now() - began) / 1000)
      return client
    },
    end: () => pool.end(),
  }
}
