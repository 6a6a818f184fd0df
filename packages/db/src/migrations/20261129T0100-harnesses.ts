/** The programs that are sessions' agents: their installs, accepted licences, and what each session's agent said of itself. */
export const statements: readonly string[] = [
  `create table harness_installs (
    -- The folder, or the image, that the files lie in.
    store text not null,
    harness text not null,
    version text not null,
    target text not null,
    state text not null check (state in ('wanted', 'installing', 'failed', 'ready', 'removed')),
    fence integer not null check (fence >= 0),
    holder text,
    holder_until timestamptz(3),
    bytes_done bigint not null check (bytes_done >= 0),
    bytes bigint,
    digest text,
    error text,
    attempts integer not null check (attempts >= 0),
    next_attempt_at timestamptz(3),
    last_used_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (store, harness, version, target),
    check (state <> 'ready' or (digest is not null and bytes is not null)),
    check (state <> 'installing' or holder is not null),
    check (state <> 'failed' or error is not null)
  )`,
  `create index harness_installs_owed on harness_installs (next_attempt_at) where state in ('wanted', 'failed')`,
  `create index harness_installs_held on harness_installs (holder_until) where state = 'installing'`,

  `create table harness_licences (
    licence_id uuid primary key,
    harness text not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    text_url text,
    accepted_by uuid not null,
    accepted_at timestamptz(3) not null,
    revoked_by uuid,
    revoked_at timestamptz(3),
    check ((revoked_by is null) = (revoked_at is null))
  )`,
  `create unique index harness_licences_accepted on harness_licences (harness, sha256) where revoked_at is null`,

  `create table session_runtimes (
    session_id uuid primary key references project_sessions on delete cascade,
    harness text not null,
    version text,
    auth text not null check (auth in ('gateway', 'secrets', 'personal')),
    -- As the default branch had it; null where the runtime is no harness.
    settings jsonb,
    agent_info jsonb,
    protocol_version integer,
    capabilities jsonb,
    config_options jsonb,
    commands jsonb,
    state text not null check (state in ('starting', 'ready', 'silent', 'down')),
    -- Rises with each process of the agent.
    epoch integer not null default 0 check (epoch >= 0),
    updated_at timestamptz(3) not null
  )`,
  `create index session_runtimes_version on session_runtimes (harness, version)`,
  `insert into session_runtimes (session_id, harness, auth, state, epoch, updated_at)
    select session_id, coalesce(requested ->> 'runtime', 'agentrt'), 'gateway', 'down', 0, updated_at
    from project_sessions`,
  `alter table session_prompts add column stop_reason text`,
]
