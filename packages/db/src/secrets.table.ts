import type { Selectable } from 'kysely'

export interface ProjectSecretTable {
  project_id: string
  name: string
  sealed_value: string
  created_by: string
  created_at: Date
  updated_at: Date
}

/** One row a write, so that the hourly limit counts over all API processes. */
export interface ProjectSecretWriteTable {
  project_id: string
  at: Date
}

export type ProjectSecretRow = Selectable<ProjectSecretTable>
