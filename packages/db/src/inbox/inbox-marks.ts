import type { Db } from '../database.ts'
import type { InboxMarkRow } from './inbox-marks.table.ts'

/** The marks of a person on these items, but for those whose time is over. */
export async function listOn(
  db: Db,
  user_id: string,
  item_ids: readonly string[],
  now: Date,
): Promise<Pick<InboxMarkRow, 'item_id' | 'version'>[]> {
  if (item_ids.length === 0) return []
  return db
    .selectFrom('inbox_marks')
    .select(['item_id', 'version'])
    .where('user_id', '=', user_id)
    .where('item_id', 'in', item_ids)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .execute()
}

/** A later mark takes the place of one before. */
export async function put(db: Db, mark: InboxMarkRow): Promise<void> {
  const { version, state, until, marked_at } = mark
  await db
    .insertInto('inbox_marks')
    .values(mark)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'item_id']).doUpdateSet({ version, state, until, marked_at }),
    )
    .execute()
}
