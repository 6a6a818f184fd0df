/** Apps that run: their instances, what those cost, and how they answered. */
export const statements: readonly string[] = [
  `create table app_platform (
    is_one boolean primary key default true check (is_one),
    rules jsonb not null check (jsonb_typeof(rules) = 'object'),
    updated_at timestamptz(3) not null
  )`,

  // The cap of a month by the entry of the default branch; null leaves it to the platform.
  `alter table apps add column budget_micros bigint check (budget_micros >= 0)`,
  // The sandbox that builds it, where only its provider knows how it is called.
  `alter table app_releases add column build_sandbox text`,

  `create table app_instances (
    instance_id uuid primary key,
    release_id uuid not null references app_releases on delete cascade,
    app_id uuid not null references apps on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid not null references projects on delete cascade,
    state text not null check (state in ('starting', 'healthy', 'draining', 'stopped', 'failed', 'gone')),
    external_id text,
    endpoint jsonb check (jsonb_typeof(endpoint) = 'object'),
    provider text not null,
    -- What its start opened: of other secrets, it is stale.
    secrets_revision text,
    -- Ends of its program that were not asked for, and the last line of it that was kept.
    restarts integer not null default 0 check (restarts >= 0),
    last_line bigint not null default 0,
    -- The beginning of what it costs, up to where that is counted, and its last sign of life.
    started_at timestamptz(3),
    metered_to timestamptz(3),
    seen_at timestamptz(3),
    last_request_at timestamptz(3),
    reason text,
    exit_report text,
    created_at timestamptz(3) not null,
    ready_at timestamptz(3),
    draining_at timestamptz(3),
    finished_at timestamptz(3),
    updated_at timestamptz(3) not null,
    check (state <> 'healthy' or (external_id is not null and endpoint is not null)),
    check ((state in ('stopped', 'failed', 'gone')) = (finished_at is not null)),
    check ((started_at is null) = (metered_to is null))
  )`,
  `create unique index app_instances_live on app_instances (release_id) where state in ('starting', 'healthy')`,
  `create index app_instances_owned on app_instances (updated_at) where state in ('starting', 'healthy', 'draining')`,
  `create index app_instances_release on app_instances (release_id, created_at desc)`,
  `create index app_instances_app on app_instances (app_id, created_at desc)`,
  `create index app_instances_account on app_instances (account_id)`,
  `create index app_instances_project on app_instances (project_id)`,

  `create table app_months (
    app_id uuid not null references apps on delete cascade,
    month date not null,
    seconds bigint not null check (seconds >= 0),
    cost_micros bigint not null check (cost_micros >= 0),
    primary key (app_id, month)
  )`,

  `create table app_minutes (
    app_id uuid not null references apps on delete cascade,
    minute timestamptz(0) not null,
    -- Answers by their first digit, from 1 on, and by how long they took.
    classes integer[] not null,
    latency integer[] not null,
    wakes integer not null,
    wake_ms bigint not null,
    bytes_out bigint not null,
    primary key (app_id, minute)
  )`,
  `create index app_minutes_minute on app_minutes (minute)`,

  `alter table app_log_lines add column instance_id uuid`,
  `alter table app_log_lines drop constraint app_log_lines_source_check`,
  `alter table app_log_lines add constraint app_log_lines_source_check
    check (source in ('build', 'app', 'platform')) not valid`,

  `drop trigger app_events_event on app_events`,
  `create trigger app_events_event after insert on app_events for each row
    when (new.type in ('app.switched', 'app.release.failed', 'app.stopped', 'app.crashed'))
    execute function record_app_event()`,
]
