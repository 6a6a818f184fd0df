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

/** Only its person's own private sessions get it. */
export interface PersonalSecretTable {
  project_id: string
  user_id: string
  name: string
  sealed_value: string
  created_at: Date
  updated_at: Date
}

export type PersonalSecretRow = Selectable<PersonalSecretTable>

/** Secrets that one sandbox was given when it was made: names, never values. */
export interface SecretAccessTable {
  access_id: string
  project_id: string
  session_id: string
  /** The owner of the session. */
  user_id: string
  agent_name: string
  names: string[]
  personal_names: string[]
  at: Date
}

export type SecretAccessRow = Selectable<SecretAccessTable>
