import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import type { CallBodyTable } from './calls.table.ts'

type KeptBody = Selectable<CallBodyTable>

/** Says that the bodies of a call are kept until then; before they are, so that none stays without a date. */
export async function insert(db: Db, kept: KeptBody): Promise<void> {
  await db.insertInto('gateway_call_bodies').values(kept).execute()
}

export async function find(
  db: Db,
  { project_id, call_id }: { readonly project_id: string; readonly call_id: string },
): Promise<KeptBody | undefined> {
  return db
    .selectFrom('gateway_call_bodies')
    .select(['call_id', 'project_id', 'kept_until'])
    .where('project_id', '=', project_id)
    .where('call_id', '=', call_id)
    .executeTakeFirst()
}

/** Those whose date has come, the oldest first. */
export async function due(db: Db, now: Date, limit: number): Promise<KeptBody[]> {
  return db
    .selectFrom('gateway_call_bodies')
    .select(['call_id', 'project_id', 'kept_until'])
    .where('kept_until', '<=', now)
    .orderBy('kept_until')
    .limit(limit)
    .execute()
}

export async function remove(db: Db, call_ids: readonly string[]): Promise<void> {
  if (call_ids.length === 0) return
  await db.deleteFrom('gateway_call_bodies').where('call_id', 'in', call_ids).execute()
}
