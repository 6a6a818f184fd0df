import type { Selectable } from 'kysely'

/** Its name, and what else a person has, is in the row of `users` with the same id. */
export interface ServiceAccountTable {
  service_account_id: string
  account_id: string
  created_by: string
  created_at: Date
  deleted_at: Date | null
}

export type ServiceAccountRow = Selectable<ServiceAccountTable>
