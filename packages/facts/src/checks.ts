/** The checks of `svc doctor` that look at the whole platform, by the names that findings have. */
export const checkNames = [
  'cr_merged_missing',
  'cr_open_landed',
  'intent_unfinished',
  'work_stuck',
  'repository_missing',
  'repository_damaged',
  'branch_missing',
  'cr_number_behind',
  'sequence_behind',
  'sandbox_orphan',
  'sandbox_lost',
  'archive_missing',
  'archive_orphan',
  'migration_drift',
  'audit_chain',
  'key_unopenable',
] as const

export type CheckName = (typeof checkNames)[number]

/** A difference between what rows say and what is there. */
export interface Finding {
  readonly check: CheckName
  readonly severity: 'error' | 'warning'
  readonly project_id: string | null
  /** The thing that differs: a change request, a session, a sandbox, a table. */
  readonly subject: string
  readonly message: string
  /** A run with `repair` puts it right. */
  readonly repairable: boolean
  /** This run did. */
  readonly repaired: boolean
}
