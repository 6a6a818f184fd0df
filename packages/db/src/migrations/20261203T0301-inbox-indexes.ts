export const in_transaction = false

/** Indexes of what waits in rows that every project has: manifests with errors or needs, and channels that were ended. */
export const statements: readonly string[] = [
  `create index concurrently if not exists trigger_catalogues_invalid on trigger_catalogues (project_id)
    where (manifest ->> 'errors')::int > 0`,
  `create index concurrently if not exists trigger_catalogues_secrets on trigger_catalogues (project_id)
    where jsonb_typeof(manifest -> 'required_secrets') = 'array' and manifest -> 'required_secrets' <> '[]'`,
  `create index concurrently if not exists trigger_catalogues_connectors on trigger_catalogues (project_id)
    where jsonb_typeof(manifest -> 'required_connectors') = 'array' and manifest -> 'required_connectors' <> '[]'`,
  `create index concurrently if not exists project_channels_ended on project_channels (project_id)
    where disconnected_reason <> 'user'`,
]
