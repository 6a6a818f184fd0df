/** Tells, as `change-notices` does, what pages of connectors and the inbox show: by ids alone. */
const watched = (table: string, kind: string, id: string, when: string) => [
  `create trigger ${table}_told after insert on ${table} for each row execute function tell_change('${kind}', '${id}')`,
  `create trigger ${table}_retold after update on ${table} for each row when (${when})
    execute function tell_change('${kind}', '${id}')`,
]
const removed = (table: string, kind: string) =>
  `create trigger ${table}_removed after delete on ${table} for each row execute function tell_removal('${kind}')`

export const statements: readonly string[] = [
  ...watched('connector_approvals', 'approval', 'call_id', 'old.status is distinct from new.status'),
  `create trigger connector_calls_unknown after update on connector_calls for each row
    when (old.status is distinct from new.status and 'unknown' in (old.status, new.status))
    execute function tell_change('unknown_call', 'call_id')`,
  ...watched(
    'connector_connections',
    'connection',
    'connection_id',
    'old.status is distinct from new.status or old.is_default is distinct from new.is_default or old.label is distinct from new.label',
  ),
  ...watched(
    'connector_computers',
    'connection',
    'connection_id',
    'old.holder is distinct from new.holder or old.name is distinct from new.name',
  ),
  removed('connector_computers', 'connection'),
  ...watched(
    'project_connectors',
    'connector',
    'slug',
    'old.status is distinct from new.status or old.error is distinct from new.error or old.catalogue_digest is distinct from new.catalogue_digest or old.definition_digest is distinct from new.definition_digest',
  ),
  removed('project_connectors', 'connector'),
]
