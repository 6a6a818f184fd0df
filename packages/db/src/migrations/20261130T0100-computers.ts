/** The paired computers that are connected, each with the executor that holds its WebSocket. */
export const statements: readonly string[] = [
  `create table connector_computers (
    connection_id uuid primary key references connector_connections on delete cascade,
    project_id uuid not null references projects on delete cascade,
    holder uuid not null,
    -- Where other executors reach the holder; null where they cannot.
    address text,
    name text not null,
    connected_at timestamptz(3) not null,
    seen_at timestamptz(3) not null
  )`,
  `create index connector_computers_project on connector_computers (project_id)`,
]
