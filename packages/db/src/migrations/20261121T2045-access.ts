/** Access: service accounts, invitations, custom roles, plans, flags, the audit chain, rate limits. */
export const statements: readonly string[] = [
  `create table plans (
    tier text primary key check (tier in ('free', 'team', 'enterprise', 'self_host')),
    entitlements text[] not null
      check (entitlements <@ array['sso', 'scim', 'rbac', 'auditAccess', 'branding']),
    session_cap integer not null check (session_cap > 0)
  )`,
  `insert into plans (tier, entitlements, session_cap) values
    ('free', '{}', 3),
    ('team', '{rbac,auditAccess}', 25),
    ('enterprise', '{sso,scim,rbac,auditAccess,branding}', 200),
    ('self_host', '{sso,scim,rbac,auditAccess,branding}', 50)`,

  `alter table accounts add column key_expiry_required boolean not null default false`,
  `alter table accounts add column key_max_days integer check (key_max_days > 0)`,
  `alter table users add column platform_admin boolean not null default false`,
  // The first owner is the person who runs the platform.
  `update users set platform_admin = true where user_id =
    (select user_id from account_members where role = 'owner' order by created_at limit 1)`,

  // A service account is a user that belongs to one account and signs in with keys alone.
  `create table service_accounts (
    service_account_id uuid primary key references users (user_id) on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    created_by uuid not null references users (user_id),
    created_at timestamptz(3) not null,
    deleted_at timestamptz(3)
  )`,
  `create index service_accounts_account on service_accounts (account_id)`,

  `alter table tokens drop constraint tokens_kind_check`,
  `alter table tokens add constraint tokens_kind_check
    check (kind in ('user', 'project', 'session', 'gateway', 'service', 'oauth', 'scim'))`,
  `alter table tokens add column account_id uuid references accounts on delete cascade`,
  `alter table tokens drop constraint tokens_check`,
  `alter table tokens add constraint tokens_scope_check check (case
    when kind in ('project', 'session', 'gateway') then project_id is not null and account_id is null
    when kind in ('service', 'scim') then project_id is null and account_id is not null
    else project_id is null and account_id is null end)`,
  `create index tokens_project on tokens (project_id) where project_id is not null`,

  `create table account_invitations (
    invitation_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    email text not null check (email <> ''),
    role text not null check (role in ('owner', 'admin', 'member')),
    token_hash bytea not null unique,
    invited_by uuid not null references users (user_id) on delete cascade,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    accepted_by uuid references users (user_id) on delete set null,
    revoked_at timestamptz(3),
    check (accepted_at is null or revoked_at is null)
  )`,
  `create index account_invitations_account on account_invitations (account_id)`,

  `create table account_roles (
    role_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    name text not null check (name <> ''),
    base_role text not null check (base_role in ('manager', 'editor', 'member', 'viewer')),
    capabilities text[] not null,
    created_by uuid not null references users (user_id),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index account_roles_name on account_roles (account_id, lower(name))`,
  `alter table project_members add column role_id uuid references account_roles on delete set null`,
  `create index project_members_role on project_members (role_id) where role_id is not null`,

  `create table project_features (
    project_id uuid not null references projects on delete cascade,
    feature text not null check (feature ~ '^[a-z][a-z0-9_]*$'),
    enabled boolean not null,
    updated_by uuid not null references users (user_id),
    updated_at timestamptz(3) not null,
    primary key (project_id, feature)
  )`,

  // No reference to projects, sessions or users: what happened stays true when they are gone.
  `create table audit_heads (
    account_id uuid primary key references accounts on delete cascade,
    seq bigint not null check (seq > 0),
    prev_hash text not null,
    hash text not null
  )`,
  `create table audit_events (
    account_id uuid not null references accounts on delete cascade,
    seq bigint not null check (seq > 0),
    event_id uuid not null unique,
    at timestamptz(3) not null,
    project_id uuid,
    session_id uuid,
    actor_type text not null check (actor_type in ('user', 'project', 'session', 'sandbox', 'gateway', 'service', 'system')),
    actor_id text not null,
    on_behalf_of uuid,
    action text not null check (action <> ''),
    target text not null,
    outcome text not null check (outcome in ('success', 'denied', 'failed')),
    request_id text,
    ip text,
    details jsonb not null default '{}',
    prev_hash text not null,
    hash text not null,
    primary key (account_id, seq)
  )`,
  `create index audit_events_action on audit_events (account_id, action, seq desc)`,
  `create index audit_events_actor on audit_events (account_id, actor_id, seq desc)`,
  `create index audit_events_project on audit_events (account_id, project_id, seq desc) where project_id is not null`,
  `create function audit_events_are_final() returns trigger language plpgsql as $$
    begin
      raise exception 'audit events are append-only';
    end
  $$`,
  // A whole account may still go, and its history with it: that is a delete by the foreign key, one level deep.
  `create trigger audit_events_no_change before update on audit_events
    for each row execute function audit_events_are_final()`,
  `create trigger audit_events_no_delete before delete on audit_events
    for each row when (pg_trigger_depth() = 0) execute function audit_events_are_final()`,
  `create trigger audit_events_no_truncate before truncate on audit_events
    for each statement execute function audit_events_are_final()`,

  // Counters of a minute: they may be lost in a crash, and cost no flush of the log.
  `create unlogged table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  `create index rate_limits_expire on rate_limits (expire)`,
]
