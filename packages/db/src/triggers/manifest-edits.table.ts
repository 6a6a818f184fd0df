import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { AuditAsker } from '../audit/audit.table.ts'
import type { RefusedOutcome } from '../change-requests/merges.table.ts'

export type ManifestEditOutcome =
  { readonly kind: 'done'; readonly commit_sha: string; readonly changed: boolean } | RefusedOutcome

export interface ManifestEditTable {
  edit_id: string
  project_id: string
  requested_by: string
  asked_by: JSONColumnType<AuditAsker | null, string | null | undefined, never>
  edit: JSONColumnType<Readonly<Record<string, unknown>>, string, never>
  status: Generated<'pending' | 'done' | 'refused'>
  outcome: JSONColumnType<ManifestEditOutcome | null, string | null | undefined, string>
  /** The commit that the default branch is about to move to. */
  planned_sha: string | null
  created_at: Date
  finished_at: Date | null
}

export type ManifestEditRow = Selectable<ManifestEditTable>
