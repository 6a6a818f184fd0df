import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Runs `work` while this process alone holds `key`. PostgreSQL releases the key when the process dies, so
 * another process never waits for a dead holder.
 */
export async function withLock<T>(db: Db, key: string, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${key}, 0))`.execute(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)
    }
  })
}
