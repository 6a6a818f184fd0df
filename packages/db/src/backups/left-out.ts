/** Tables that a restored database fills by itself, or that hold of one process and one moment alone. */
export const leftOut: readonly string[] = [
  'kysely_migration',
  'kysely_migration_lock',
  'schema_state',
  'schema_migrations',
  'processes',
  'session_claims',
  'rate_limits',
  'attempt_counts',
]
