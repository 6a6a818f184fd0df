export const in_transaction = false

/** Sessions of all projects by age, and sandboxes by machine. */
export const statements: readonly string[] = [
  `create index concurrently if not exists project_sessions_by_age on project_sessions (created_at desc, session_id desc)
    where deleted_at is null`,
  `create index concurrently if not exists session_sandboxes_machine on session_sandboxes (machine, provider)
    where status <> 'archived'`,
]
