/** An index for each of the two questions about fires that are owed a session, so that neither reads past the other's. */
export const statements: readonly string[] = [
  `drop index trigger_fires_waiting`,
  `create index trigger_fires_pending on trigger_fires (project_id) where status = 'pending'`,
  `create index trigger_fires_queued on trigger_fires (project_id, slug, created_at, fire_id) where status = 'queued'`,
]
