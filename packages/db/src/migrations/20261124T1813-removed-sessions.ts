/**
 * Rows of deleted sessions go one day, and with them nothing that is kept for longer: the log of secrets names its session
 * as the audit log does, by an id alone. Each index is for a look that the removal would else make at a whole table.
 */
export const in_transaction = false
export const statements: readonly string[] = [
  `alter table secret_accesses drop constraint if exists secret_accesses_session_id_fkey`,
  `create index concurrently if not exists project_sessions_deleted on project_sessions (deleted_at)
    where deleted_at is not null`,
  `create index concurrently if not exists project_sessions_parent on project_sessions (parent_session_id)
    where parent_session_id is not null`,
  `create index concurrently if not exists monitor_hosts_session on monitor_hosts (session_id)
    where session_id is not null`,
  `create index concurrently if not exists merge_intents_attempt on merge_intents (attempt_id)`,
  `create index concurrently if not exists merge_attempts_finished on merge_attempts (finished_at)
    where finished_at is not null`,
  `create index concurrently if not exists manifest_edits_finished on manifest_edits (finished_at)
    where finished_at is not null`,
]
