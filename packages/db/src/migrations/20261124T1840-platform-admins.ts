/** The day since which a person runs the platform, and the chain of what those people changed. */
export const statements: readonly string[] = [
  `alter table users add column platform_admin_since timestamptz(3)`,

  // One row: the end of the chain.
  `create table platform_audit_head (
    id boolean primary key default true check (id),
    seq bigint not null check (seq > 0),
    prev_hash text not null,
    hash text not null
  )`,
  // No reference to accounts: what happened stays true when they are gone.
  `create table platform_audit_events (
    seq bigint primary key check (seq > 0),
    event_id uuid not null unique,
    at timestamptz(3) not null,
    account_id uuid,
    project_id uuid,
    session_id uuid,
    actor_type text not null check (actor_type in
      ('user', 'project', 'session', 'sandbox', 'gateway', 'service', 'scim', 'system')),
    actor_id text not null,
    on_behalf_of uuid,
    action text not null check (action <> ''),
    target text not null,
    outcome text not null check (outcome in ('success', 'denied', 'failed')),
    request_id text,
    ip text,
    details jsonb not null default '{}',
    prev_hash text not null,
    hash text not null
  )`,
  `create trigger platform_audit_events_no_change before update on platform_audit_events
    for each row execute function audit_events_are_final()`,
  `create trigger platform_audit_events_no_delete before delete on platform_audit_events
    for each row execute function audit_events_are_final()`,
  `create trigger platform_audit_events_no_truncate before truncate on platform_audit_events
    for each statement execute function audit_events_are_final()`,
]
