/** The machine of a sandbox, the machines themselves, and the reason of a stop by an operator. */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column machine text`,
  `create table machines (
    machine text primary key,
    provider text not null,
    state text not null default 'open' check (state in ('open', 'draining')),
    drain_until timestamptz(3),
    seen_at timestamptz(3) not null
  )`,
  `alter table project_sessions drop constraint project_sessions_stop_reason_check`,
  `alter table project_sessions add constraint project_sessions_stop_reason_check
    check (stop_reason in ('user', 'idle', 'sandbox_exited', 'platform_shutdown', 'deleted', 'operator')) not valid`,
]
