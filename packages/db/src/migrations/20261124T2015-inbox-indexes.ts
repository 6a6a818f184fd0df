export const in_transaction = false

/** Indexes of what an inbox reads in tables that keep what ended. */
export const statements: readonly string[] = [
  `create index concurrently if not exists project_sessions_failed on project_sessions (project_id)
    where status = 'failed' and deleted_at is null`,
  `create index concurrently if not exists project_triggers_failed on project_triggers (project_id)
    where last_status = 'failed' and enabled`,
  `create index concurrently if not exists change_requests_open on change_requests (project_id)
    where status = 'open'`,
]
