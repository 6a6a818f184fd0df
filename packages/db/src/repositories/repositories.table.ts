import type { Generated } from 'kysely'

/** Storage of managed repositories; one that has no row yet is local and was never measured. */
export interface RepositoryTable {
  project_id: string
  store: Generated<'local' | 'object'>
  /** Number of publications to the store; stays 0 where a folder is the truth. */
  generation: Generated<number>
  manifest_key: Generated<string | null>
  bytes: number
  packs: number
  updated_at: Date
}
