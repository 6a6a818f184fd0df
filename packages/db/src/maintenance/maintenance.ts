import type { Db } from '../database.ts'
import { notify } from '../kit/listen.ts'
import type { MaintenanceRow } from './maintenance.table.ts'

export async function read(db: Db): Promise<MaintenanceRow> {
  return db
    .selectFrom('maintenance')
    .select(['mode', 'message', 'retry_after_seconds', 'until', 'changed_by', 'changed_at'])
    .executeTakeFirstOrThrow()
}

/** Replaces the whole row and tells every process. */
export async function replace(db: Db, row: MaintenanceRow): Promise<void> {
  await db.updateTable('maintenance').set(row).execute()
  await notify(db, 'maintenance', { mode: row.mode })
}
