import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Runs `work` while this process alone holds `key`. PostgreSQL releases the key when the process dies, so
 * another process never waits for a dead holder.
 */
export async function withLock<T>(db: Db, key: string, work: () => Promise<T>): Promise<T> {
  return holding(db, key, work, async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${key}, 0))`.execute(connection)
  })
}

const askAgainMs = 100

/**
 * The same for work that makes an index concurrently: that waits for every statement which runs in the database, also
 * for one that waits for this key. Those who wait ask again and again instead.
 */
export async function withAskedLock<T>(db: Db, key: string, work: () => Promise<T>): Promise<T> {
  return holding(db, key, work, async (connection) => {
    while (!(await tryLock(connection, key))) await sleep(askAgainMs)
  })
}

/** Runs `work` when no process holds `key`; undefined, at once, when one does. */
export async function withTriedLock<T>(db: Db, key: string, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    if (!(await tryLock(connection, key))) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)
    }
  })
}

async function tryLock(connection: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${key}, 0)) as locked`.execute(connection)
  return rows[0]?.locked === true
}

async function holding<T>(
  db: Db,
  key: string,
  work: () => Promise<T>,
  lock: (connection: Db) => Promise<void>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await lock(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)
    }
  })
}
