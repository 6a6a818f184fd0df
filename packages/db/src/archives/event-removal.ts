import { sql } from 'kysely'
import type { Db } from '../database.ts'
import * as archiveObjects from './archive-objects.ts'

/** Removes up to `limit` pieces of these sessions; fewer means that no other is left. */
export async function removeOfSessions(
  db: Db,
  session_ids: readonly string[],
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<number> {
  return removeSome(db, now, sql`session_id = any(${session_ids}::uuid[])`, limit)
}

/**
 * Removes up to `limit` pieces of the oldest month that ended before and is not in the table any more: its logs begin later
 * then.
 */
export async function removeOlder(
  db: Db,
  { before, limit, now }: { readonly before: Date; readonly limit: number; readonly now: Date },
): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select name from event_partitions p where state = 'dropped' and to_at < ${before}
      and exists (select from event_archives where partition = p.name)
    order by to_at limit 1`.execute(db)
  const [month] = rows
  return month === undefined ? 0 : removeSome(db, now, sql`partition = ${month.name}`, limit)
}

async function removeSome(db: Db, now: Date, which: ReturnType<typeof sql>, limit: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Of two who take the last two pieces of an object, the second one sees that no piece names it any more.
    await sql`select pg_advisory_xact_lock(hashtextextended('event-archives', 0))`.execute(tx)
    const { rows } = await sql<{ object_key: string }>`
      with removed as (
        delete from event_archives where archive_id in (
          select archive_id from event_archives where ${which} order by session_id, last_seq limit ${limit})
        returning session_id, last_seq, object_key
      ), begun as (
        update project_sessions s set first_event_seq = greatest(first_event_seq, r.last_seq + 1)
        from (select session_id, max(last_seq) as last_seq from removed group by session_id) r
        where s.session_id = r.session_id
      ) select object_key from removed`.execute(tx)
    const keys = [...new Set(rows.map(({ object_key }) => object_key))]
    if (keys.length > 0) await archiveObjects.markUnnamed(tx, keys, now)
    return rows.length
  })
}
