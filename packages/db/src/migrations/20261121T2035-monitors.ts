/** Monitors: who keeps a project's sandbox for them, and what each has said. */
export const statements: readonly string[] = [
  // One scheduler at a time looks after the monitors of a project. Whatever it writes names the fence it was begun with.
  `create table monitor_hosts (
    project_id uuid primary key references projects on delete cascade,
    session_id uuid references project_sessions on delete set null,
    host_id uuid,
    fence bigint not null default 0 check (fence >= 0),
    held_until timestamptz(3),
    failures integer not null default 0 check (failures >= 0),
    retry_at timestamptz(3)
  )`,
  `create index monitor_hosts_free on monitor_hosts (held_until nulls first)`,
  `create index project_triggers_monitors on project_triggers (project_id) where type = 'monitor' and enabled`,
  `create table project_monitors (
    project_id uuid not null,
    slug text not null,
    epoch uuid not null,
    seq bigint not null default 0 check (seq >= 0),
    state text not null default 'starting'
      check (state in ('starting', 'running', 'restarting', 'silent', 'exhausted')),
    tokens double precision not null check (tokens >= 0),
    tokens_at timestamptz(3) not null,
    suppressed_until timestamptz(3),
    suppressed_fire_id uuid,
    suppressed_lines bigint not null default 0,
    suppressed_total bigint not null default 0,
    last_line_at timestamptz(3),
    last_exit text,
    primary key (project_id, slug),
    foreign key (project_id, slug) references project_triggers on delete cascade,
    check (suppressed_total >= suppressed_lines and suppressed_lines >= 0)
  )`,
]
