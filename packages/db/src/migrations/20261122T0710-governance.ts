/** The caller who asked for a worker's job, and the request that a key of a session create stands for. */
export const statements: readonly string[] = [
  // Null on what was asked for before there was this column.
  `alter table merge_attempts add column asked_by jsonb check (jsonb_typeof(asked_by) = 'object')`,
  `alter table manifest_edits add column asked_by jsonb check (jsonb_typeof(asked_by) = 'object')`,

  // A hash for each field that has a conflict of its own, and whose key it is; null on older keys.
  `alter table session_idempotency_keys add column field_hashes jsonb check (jsonb_typeof(field_hashes) = 'object')`,
  `alter table session_idempotency_keys add column created_by uuid`,
]
