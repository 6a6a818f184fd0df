/** The schema's own books, the processes that use it, and a column that databases lack which were made between two commits. */
export const statements: readonly string[] = [
  `create table schema_state (
    id boolean primary key default true check (id),
    level integer not null,
    min_reader integer not null default 0,
    updated_at timestamptz(3) not null default now(),
    updated_by text not null default '',
    check (min_reader <= level)
  )`,
  `insert into schema_state (level) values (0)`,
  `create table schema_migrations (
    name text primary key,
    checksum text not null,
    phase text not null check (phase in ('expand', 'contract')),
    level integer not null,
    version text not null,
    applied_at timestamptz(3) not null,
    duration_ms integer
  )`,
  `create table schema_backfills (
    name text primary key,
    cursor text,
    done boolean not null default false,
    rows bigint not null default 0,
    updated_at timestamptz(3) not null default now()
  )`,
  `create table processes (
    process_id uuid primary key,
    service text not null,
    version text not null,
    commit text not null,
    schema_level integer not null,
    machine text not null,
    pid integer not null,
    state text not null default 'running' check (state in ('running', 'draining')),
    drain_reason text,
    started_at timestamptz(3) not null,
    beat_at timestamptz(3) not null
  )`,
  `create index processes_beat on processes (beat_at)`,

  `alter table oauth_artefacts add column if not exists sso_account_id uuid references accounts on delete cascade
    check (model = 'Grant' or sso_account_id is null)`,
  `create index if not exists oauth_artefacts_sso_account on oauth_artefacts (sso_account_id)
    where sso_account_id is not null`,
]
