import type { ManifestEditStatus } from '@svc/trigger'
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { AuditAsker } from '../audit/audit.table.ts'
import type { MoveRefusal, RefusedOutcome } from '../change-requests/merges.table.ts'

/** The commit of the default branch that says what the edit asked for; unchanged when it said so before. */
export interface MadeEdit {
  readonly commit_sha: string
  readonly changed: boolean
}

export type ManifestEditOutcome = (MadeEdit & { readonly kind: 'done' }) | RefusedOutcome

/** The end of an edit. The status, and the kind of the outcome, follow from the event. */
export type ManifestEditEnd =
  | { readonly event: 'finish'; readonly outcome: MadeEdit }
  | { readonly event: 'refuse'; readonly outcome: MoveRefusal }

export interface ManifestEditTable {
  edit_id: string
  project_id: string
  requested_by: string
  asked_by: JSONColumnType<AuditAsker | null, string | null | undefined, never>
  edit: JSONColumnType<Readonly<Record<string, unknown>>, string, never>
  status: Generated<ManifestEditStatus>
  outcome: JSONColumnType<ManifestEditOutcome | null, string | null | undefined, string>
  /** The commit that the default branch is about to move to. */
  planned_sha: string | null
  created_at: Date
  finished_at: Date | null
}

export type ManifestEditRow = Selectable<ManifestEditTable>
