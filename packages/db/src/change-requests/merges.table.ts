import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { AuditAsker } from '../audit/audit.table.ts'

/** A refusal to be thrown where the move of a base branch was asked for. */
export interface RefusedOutcome {
  readonly kind: 'refused'
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The end of an attempt: the wire's `merge` object, or a refusal. */
export type MergeOutcome =
  | {
      readonly kind: 'merged'
      readonly merge_commit_sha: string
      readonly fast_forward: boolean
      readonly base_sha_before: string
      readonly base_sha_after: string
    }
  | RefusedOutcome

/** A merge that a caller asked for; the merge-worker owes it an outcome. */
export interface MergeAttemptTable {
  attempt_id: string
  cr_id: string
  project_id: string
  requested_by: string
  asked_by: JSONColumnType<AuditAsker | null, string | null | undefined, never>
  message: string | null
  expected_head_sha: string | null
  expected_base_sha: string | null
  status: Generated<'pending' | 'merged' | 'refused'>
  outcome: JSONColumnType<MergeOutcome | null, string | null | undefined, string | null>
  created_at: Date
  finished_at: Date | null
}

/** A move of the base ref, written by the worker before it makes the move. */
export interface MergeIntentTable {
  intent_id: string
  attempt_id: string
  cr_id: string
  base_ref: string
  base_sha: string
  head_sha: string
  commit_sha: string
  fast_forward: boolean
  state: Generated<'planned' | 'moved' | 'abandoned'>
  created_at: Date
}

export type MergeAttemptRow = Selectable<MergeAttemptTable>
export type MergeIntentRow = Selectable<MergeIntentTable>
