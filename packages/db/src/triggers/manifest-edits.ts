import { manifestEditMachine } from '@svc/trigger'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { ManifestEditEnd, ManifestEditRow, ManifestEditTable } from './manifest-edits.table.ts'
import { notify } from '../kit/listen.ts'

export async function insert(db: Db, edit: Insertable<ManifestEditTable>): Promise<void> {
  await db.insertInto('manifest_edits').values(edit).execute()
}

export async function find(db: Db, edit_id: string): Promise<ManifestEditRow | undefined> {
  return db.selectFrom('manifest_edits').selectAll().where('edit_id', '=', edit_id).executeTakeFirst()
}

/** Written before the branch moves, so that a run after a crash can ask git whether it did. Null takes the plan back. */
export async function plan(db: Db, edit_id: string, planned_sha: string | null): Promise<void> {
  await db.updateTable('manifest_edits').set({ planned_sha }).where('edit_id', '=', edit_id).execute()
}

/** Ends the edit and notifies the callers that wait for it; false when it had ended. */
export async function finish(
  db: Db,
  edit_id: string,
  { event, outcome }: ManifestEditEnd,
  now: Date,
): Promise<boolean> {
  const kind = manifestEditMachine.to(event)
  const { numUpdatedRows } = await db
    .updateTable('manifest_edits')
    .set({
      status: manifestEditMachine.to(event),
      outcome: jsonb({ kind, ...outcome }),
      finished_at: now,
    })
    .where('edit_id', '=', edit_id)
    .where('status', 'in', manifestEditMachine.from(event))
    .executeTakeFirst()
  await notify(db, 'merge', { attempt_id: edit_id })
  return numUpdatedRows > 0n
}

/** Edits that have waited since `quiet_since`, oldest first. */
export async function listOwed(db: Db, quiet_since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('manifest_edits')
    .select('edit_id')
    .where('status', '=', 'pending')
    .where('created_at', '<', quiet_since)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.edit_id)
}

/** Removes up to `limit` that ended before: by `manifest_edits_finished`. */
export async function removeFinished(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('manifest_edits')
    .where('edit_id', 'in', (eb) =>
      eb
        .selectFrom('manifest_edits')
        .select('edit_id')
        .where('finished_at', '<', before)
        .orderBy('finished_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
