/** Runs of the platform's checks. Each worker that has a part in one writes its own row, and the sweep finds a lost one. */
export const statements: readonly string[] = [
  `create table check_runs (
    run_id uuid primary key,
    checks text[] not null,
    project_id uuid,
    repair boolean not null,
    asked_by uuid not null,
    started_at timestamptz(3) not null
  )`,
  `create index check_runs_started on check_runs (started_at)`,
  `create table check_parts (
    run_id uuid not null references check_runs on delete cascade,
    queue text not null check (queue in ('merge', 'session')),
    state text not null default 'running' check (state in ('running', 'done', 'failed')),
    findings jsonb not null default '[]',
    beat_at timestamptz(3) not null,
    finished_at timestamptz(3),
    primary key (run_id, queue),
    check ((state = 'running') = (finished_at is null))
  )`,
  `create index check_parts_running on check_parts (beat_at) where state = 'running'`,
]
