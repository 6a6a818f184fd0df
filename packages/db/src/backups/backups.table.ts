import type { BackupState } from '@svc/access'
import type { Generated, Selectable } from 'kysely'

export interface BackupTable {
  backup_id: string
  /** Its folder in the target. */
  name: string
  state: BackupState
  /** The place that holds it, without keys. */
  target: string
  started_at: Date
  /** Null until a process takes it. */
  claimed_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  bytes: Generated<number | null>
  error: Generated<string | null>
  /** Managed projects whose repository is not in it; null where that is not known. */
  missing: Generated<string[] | null>
}

export type BackupRow = Selectable<BackupTable>
