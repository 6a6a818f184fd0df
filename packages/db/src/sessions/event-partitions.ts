import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Months that are there before they begin. */
const ahead = 2

/** Makes the months that are missing up to those ahead, and returns their number. Any number of processes may ask. */
export async function makeAhead(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{
    made: number
  }>`select make_event_partitions(${now}, ${ahead}) as made`.execute(db)
  return rows[0]?.made ?? 0
}
