export const in_transaction = false

/** What an inbox reads of every project: manifests that have errors, or need something, and channels that the platform ended. */
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
