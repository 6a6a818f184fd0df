import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Removes lines of programs that are older, at most `limit`; how many there were. */
export async function removeBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_log_lines where (app_id, seq) in (
    select app_id, seq from app_log_lines where source = 'app' and at < ${before} order by at limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Removes the oldest lines of programs of apps that have more than `most` lines; how many there were. */
export async function removeBeyond(db: Db, most: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_log_lines where (app_id, seq) in (
    select l.app_id, l.seq from apps a
    cross join lateral (select app_id, seq from app_log_lines
      where app_id = a.app_id and seq <= a.last_line_seq - ${most} and source = 'app' order by seq limit ${limit}) l
    where a.last_line_seq > ${most} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
