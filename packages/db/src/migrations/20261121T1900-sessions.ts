/** Lets a session outlive its workers: claims with a fence, queued creates, prompts that are withdrawn. */
export const statements: readonly string[] = [
  `alter table session_prompts drop constraint session_prompts_state_check`,
  `alter table session_prompts add constraint session_prompts_state_check
    check (state in ('pending', 'delivered', 'running', 'done', 'failed', 'cancelled'))`,
  `create index session_prompts_inbox on session_prompts (session_id, position)`,

  `alter table project_sessions add column last_event_at timestamptz(3)`,
  `alter table project_sessions add column wakes_after_exit integer not null default 0 check (wakes_after_exit >= 0)`,

  `alter table session_sandboxes add column retired text[] not null default '{}'`,
  `alter table session_sandboxes add column unreachable_since timestamptz(3)`,
  `create index session_sandboxes_lease on session_sandboxes (lease_expires_at) where lease_expires_at is not null`,

  // The worker on a session's sandbox or inbox. Each of its writes names the fence that the work began with.
  `create table session_claims (
    session_id uuid not null references project_sessions on delete cascade,
    work text not null check (work in ('sandbox', 'prompts')),
    fence bigint not null default 1 check (fence > 0),
    backend_pid integer not null,
    beat_at timestamptz(3) not null,
    primary key (session_id, work)
  )`,

  `create table session_creates (
    command_id uuid primary key,
    session_id uuid not null unique,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid not null references projects on delete cascade,
    position bigint generated always as identity,
    session jsonb not null,
    initial_prompt text,
    created_by uuid not null references users on delete cascade,
    created_at timestamptz(3) not null
  )`,
  `create index session_creates_order on session_creates (account_id, position)`,

  `create function session_events_are_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'an event of a session never changes' using errcode = 'check_violation';
    end $$`,
  `create trigger session_events_are_append_only before update on session_events
    for each row execute function session_events_are_append_only()`,
]
