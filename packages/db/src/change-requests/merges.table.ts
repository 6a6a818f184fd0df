import type { MergeAttemptStatus, MergeIntentState } from '@svc/change-request'
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { AuditAsker } from '../audit/audit.table.ts'

/** A refusal to be thrown where the move of a base branch was asked for. */
export interface MoveRefusal {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The wire's `merge` object. */
export interface MadeMerge {
  readonly merge_commit_sha: string
  readonly fast_forward: boolean
  readonly base_sha_before: string
  readonly base_sha_after: string
}

export type RefusedOutcome = MoveRefusal & { readonly kind: 'refused' }
export type MergeOutcome = (MadeMerge & { readonly kind: 'merged' }) | RefusedOutcome

/** The end of an attempt. The status, and the kind of the outcome, follow from the event. */
export type MergeEnd =
  | { readonly event: 'merge'; readonly outcome: MadeMerge }
  | { readonly event: 'refuse'; readonly outcome: MoveRefusal }

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
  status: Generated<MergeAttemptStatus>
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
  state: Generated<MergeIntentState>
  created_at: Date
}

export type MergeAttemptRow = Selectable<MergeAttemptTable>
export type MergeIntentRow = Selectable<MergeIntentTable>
