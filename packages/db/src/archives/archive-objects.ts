import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ArchiveObjectTable } from './event-archives.table.ts'

/** Says that an object is going to be stored, before it is: one that nothing names in the end is found by its row. */
export async function announce(
  db: Db,
  { object_key, bytes, now }: { readonly object_key: string; readonly bytes: number; readonly now: Date },
): Promise<void> {
  await sql`insert into archive_objects (object_key, bytes, unnamed_at) values (${object_key}, ${bytes}, ${now})
    on conflict (object_key) do update set unnamed_at = excluded.unnamed_at
    where archive_objects.unnamed_at is not null`.execute(db)
}

/** Gives an object that is there without a row the one of an object that nothing names; false when it has one by now. */
export async function adopt(
  db: Db,
  { object_key, bytes, now }: { readonly object_key: string; readonly bytes: number; readonly now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into archive_objects (object_key, bytes, unnamed_at) values (${object_key}, ${bytes}, ${now})
    on conflict (object_key) do nothing`.execute(db)
  return numAffectedRows === 1n
}

/** Marks objects that are named from now on. */
export async function markNamed(tx: Db, object_keys: readonly string[]): Promise<void> {
  await sql`update archive_objects set unnamed_at = null where object_key = any(${object_keys})`.execute(tx)
}

/** Marks those of the objects that nothing names any more. */
export async function markUnnamed(tx: Db, object_keys: readonly string[], now: Date): Promise<void> {
  await sql`update archive_objects o set unnamed_at = ${now}
    where object_key = any(${object_keys}) and unnamed_at is null
      and not exists (select from event_archives a where a.object_key = o.object_key)
      and not exists (select from session_branches b where b.object_key = o.object_key)`.execute(tx)
}

/** Objects that something names, by their keys, from behind `after`. */
export async function listNamed(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<ArchiveObjectTable, 'object_key' | 'bytes'>[]> {
  return db
    .selectFrom('archive_objects')
    .select(['object_key', 'bytes'])
    .where('unnamed_at', 'is', null)
    .where('object_key', '>', after)
    .orderBy('object_key')
    .limit(limit)
    .execute()
}

/** Those of the keys that have a row. */
export async function known(db: Db, object_keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ object_key: string }>`
    select object_key from archive_objects where object_key = any(${object_keys})`.execute(db)
  return new Set(rows.map(({ object_key }) => object_key))
}

/**
 * Removes an object that nothing names since before that moment: `remove` takes it away while its row is held, so that no
 * other process stores the same one meanwhile. False when there is none: by `archive_objects_unnamed`.
 */
export async function removeOne(
  db: Db,
  before: Date,
  remove: (object_key: string) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ object_key: string }>`
      select object_key from archive_objects where unnamed_at < ${before}
      order by unnamed_at limit 1 for update skip locked`.execute(tx)
    const [found] = rows
    if (found === undefined) return false
    await remove(found.object_key)
    await tx.deleteFrom('event_archive_drafts').where('object_key', '=', found.object_key).execute()
    await tx.deleteFrom('archive_objects').where('object_key', '=', found.object_key).execute()
    return true
  })
}

/** Bytes of all objects of events. */
export async function eventBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from archive_objects
    where object_key like 'events/%'`.execute(db)
  return rows[0]?.bytes ?? 0
}
