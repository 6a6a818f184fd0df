/** Counts the secrets that were written since a live sandbox got its own. */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column secrets_owed integer not null default 0 check (secrets_owed >= 0)`,
  `create index session_sandboxes_secrets_owed on session_sandboxes (session_id) where secrets_owed > 0`,
]
