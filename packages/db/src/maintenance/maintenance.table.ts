import type { MaintenanceMode } from '@svc/facts'
import type { Generated, Selectable } from 'kysely'

/** A single row. */
export interface MaintenanceTable {
  id: Generated<true>
  mode: MaintenanceMode
  /** The words for those who are refused; the platform's own when null. */
  message: string | null
  retry_after_seconds: number
  /** The moment at which it ends by itself. */
  until: Date | null
  changed_by: string | null
  changed_at: Date
}

export type MaintenanceRow = Omit<Selectable<MaintenanceTable>, 'id'>
