import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { againIfLocked } from '../kit/lock-timeouts.ts'

/** Months that are there before they begin. */
const ahead = 2

/** Makes the months that are missing up to those ahead, and returns their number. Any number of processes may ask. */
export async function makeAhead(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{
    made: number
  }>`select make_event_partitions(${now}, ${ahead}) as made`.execute(db)
  return rows[0]?.made ?? 0
}

/**
 * Takes a sealed month out of the database; false when another process did. Waits two seconds at most for a client that reads or
 * writes the log, and tries again.
 */
export async function drop(db: Db, name: string, now: Date): Promise<boolean> {
  const { rows } = await againIfLocked(() =>
    sql<{ dropped: boolean }>`select drop_event_partition(${name}, ${now}) as dropped`.execute(db),
  )
  return rows[0]?.dropped === true
}
