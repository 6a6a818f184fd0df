import { type Kysely, sql } from 'kysely'

/** Accounts to change requests. The CHECK constraints repeat the state machines of the pure packages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table accounts (
    account_id uuid primary key,
    name text not null check (name <> ''),
    tier text not null check (tier in ('free', 'team', 'enterprise', 'self_host')),
    created_at timestamptz(3) not null
  )`,
  `create table users (
    user_id uuid primary key,
    email text not null,
    name text not null,
    created_at timestamptz(3) not null
  )`,
  `create unique index users_email on users (lower(email))`,
  `create table account_members (
    account_id uuid not null references accounts on delete cascade,
    user_id uuid not null references users on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null,
    primary key (account_id, user_id)
  )`,
  `create index account_members_user on account_members (user_id)`,

  `create table projects (
    project_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    name text not null check (name <> ''),
    slug text not null,
    kind text not null check (kind in ('managed', 'connected')),
    repo_url text not null,
    default_branch text not null check (default_branch <> ''),
    status text not null default 'active' check (status in ('active', 'archived')),
    metadata jsonb not null default '{}',
    sealed_data_key text not null,
    sealed_credential text,
    last_cr_number integer not null default 0,
    created_by uuid not null references users,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    archived_at timestamptz(3),
    check ((status = 'archived') = (archived_at is not null)),
    check (kind = 'connected' or sealed_credential is null)
  )`,
  `create unique index projects_slug on projects (account_id, slug)`,
  `create table project_members (
    project_id uuid not null references projects on delete cascade,
    user_id uuid not null references users on delete cascade,
    role text not null check (role in ('manager', 'editor', 'member', 'viewer')),
    created_at timestamptz(3) not null,
    primary key (project_id, user_id)
  )`,
  `create index project_members_user on project_members (user_id)`,
  `create table provision_keys (
    account_id uuid not null references accounts on delete cascade,
    idempotency_key text not null,
    project_id uuid references projects on delete cascade,
    created_at timestamptz(3) not null,
    primary key (account_id, idempotency_key)
  )`,
  `create table project_secrets (
    project_id uuid not null references projects on delete cascade,
    name text not null check (name ~ '^[A-Za-z_][A-Za-z0-9_]*$' and name !~ '^SVC_'),
    sealed_value text not null,
    created_by uuid not null references users,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (project_id, name)
  )`,
  `create table project_secret_writes (
    project_id uuid not null references projects on delete cascade,
    at timestamptz(3) not null
  )`,
  `create index project_secret_writes_at on project_secret_writes (project_id, at)`,

  `create table project_sessions (
    session_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid not null references projects on delete cascade,
    branch_name text not null,
    base_ref text not null,
    status text not null check (status in ('queued', 'branching', 'provisioning', 'running', 'stopped', 'failed', 'completed')),
    stop_reason text check (stop_reason in ('user', 'idle', 'sandbox_exited', 'platform_shutdown', 'deleted')),
    failure jsonb,
    agent_name text not null,
    agent_grant jsonb not null,
    merge_granted boolean not null,
    model text,
    name text,
    metadata jsonb not null default '{}',
    origin text not null check (origin in ('user', 'trigger', 'api', 'system')),
    origin_ref text,
    labels text[] not null default '{}',
    parent_session_id uuid references project_sessions on delete set null,
    requested jsonb not null default '{}',
    visibility text not null default 'private' check (visibility in ('private', 'project')),
    last_event_seq bigint not null default 0,
    created_by uuid not null references users,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    provisioning_at timestamptz(3) not null,
    started_at timestamptz(3),
    stopped_at timestamptz(3),
    deleted_at timestamptz(3),
    check (branch_name = session_id::text),
    check (status <> 'failed' or failure is not null),
    check (status <> 'running' or started_at is not null),
    check (status not in ('stopped', 'failed') or stopped_at is not null)
  )`,
  `create index project_sessions_list on project_sessions (project_id, created_at desc, session_id desc) where deleted_at is null`,
  `create index project_sessions_live on project_sessions (account_id) where status in ('provisioning', 'running') and deleted_at is null`,
  `create index project_sessions_owed on project_sessions (status, updated_at) where status in ('provisioning', 'running')`,
  `create table session_idempotency_keys (
    idempotency_key text primary key,
    project_id uuid not null references projects on delete cascade,
    session_id uuid not null,
    request_hash text not null,
    created_at timestamptz(3) not null
  )`,
  `create table session_sandboxes (
    session_id uuid primary key references project_sessions on delete cascade,
    provider text,
    external_id text unique,
    status text not null check (status in ('provisioning', 'active', 'stopped', 'error', 'archived')),
    endpoint text,
    service_key_hash bytea unique,
    sealed_service_key text,
    runtime_session_id text,
    renew boolean not null default false,
    error text,
    lease_expires_at timestamptz(3),
    last_active_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check (status <> 'active' or (external_id is not null and endpoint is not null))
  )`,
  `create index session_sandboxes_status on session_sandboxes (status)`,
  `create table session_prompts (
    prompt_id uuid primary key,
    session_id uuid not null references project_sessions on delete cascade,
    position bigint generated always as identity,
    text text not null,
    source text not null check (source in ('user', 'initial', 'request_changes', 'trigger')),
    state text not null default 'pending' check (state in ('pending', 'delivered', 'running', 'done', 'failed')),
    agent text,
    model text,
    error text,
    dedupe_key text,
    created_by uuid not null references users,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (session_id, dedupe_key)
  )`,
  `create index session_prompts_owed on session_prompts (session_id, position) where state in ('pending', 'delivered', 'running')`,
  `create table session_events (
    session_id uuid not null references project_sessions on delete cascade,
    seq bigint not null,
    type text not null,
    at timestamptz(3) not null,
    payload jsonb not null,
    event_id text,
    primary key (session_id, seq)
  )`,
  `create unique index session_events_event on session_events (session_id, event_id) where event_id is not null`,

  `create table tokens (
    token_id uuid primary key,
    kind text not null check (kind in ('user', 'project', 'session', 'gateway')),
    token_hash bytea not null unique,
    display_prefix text not null,
    name text not null,
    user_id uuid not null references users on delete cascade,
    project_id uuid references projects on delete cascade,
    session_id uuid references project_sessions on delete cascade,
    default_branch boolean not null default false,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null,
    check ((kind = 'user') = (project_id is null)),
    check (kind <> 'session' or session_id is not null),
    check (not default_branch or kind = 'project')
  )`,
  `create index tokens_user on tokens (user_id)`,
  `create index tokens_session on tokens (session_id) where session_id is not null`,

  `create table change_requests (
    cr_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid not null references projects on delete cascade,
    number integer not null check (number > 0),
    title text not null check (title <> ''),
    description text not null default '',
    base_ref text not null,
    head_ref text not null,
    status text not null check (status in ('open', 'merged', 'closed')),
    head_commit_sha text,
    base_commit_sha text,
    origin_session_id uuid references project_sessions on delete set null,
    created_by uuid not null references users,
    merged_at timestamptz(3),
    merged_by uuid references users,
    merge_commit_sha text,
    closed_at timestamptz(3),
    closed_by uuid references users,
    metadata jsonb not null default '{}',
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    check (head_ref <> base_ref),
    check ((status = 'merged') = (merged_at is not null and merged_by is not null and merge_commit_sha is not null)),
    check (status <> 'merged' or (head_commit_sha is not null and base_commit_sha is not null)),
    check ((status = 'closed') = (closed_at is not null and closed_by is not null))
  )`,
  `create index change_requests_account on change_requests (account_id)`,
  `create index change_requests_project on change_requests (project_id)`,
  `create index change_requests_status on change_requests (project_id, status)`,
  `create unique index change_requests_number on change_requests (project_id, number)`,
  `create unique index change_requests_open_pair on change_requests (project_id, head_ref, base_ref) where status = 'open'`,
  `create index change_requests_session on change_requests (origin_session_id) where origin_session_id is not null`,
  `create function change_requests_merged_is_final() returns trigger language plpgsql as $$
    begin
      if old.status = 'merged' and to_jsonb(old) - 'origin_session_id' <> to_jsonb(new) - 'origin_session_id' then
        raise exception 'a merged change request never changes' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  `create trigger change_requests_merged_is_final before update on change_requests
    for each row execute function change_requests_merged_is_final()`,

  `create table merge_attempts (
    attempt_id uuid primary key,
    cr_id uuid not null references change_requests on delete cascade,
    project_id uuid not null references projects on delete cascade,
    requested_by uuid not null references users,
    message text,
    expected_head_sha text,
    expected_base_sha text,
    status text not null default 'pending' check (status in ('pending', 'merged', 'refused')),
    outcome jsonb,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    check ((status = 'pending') = (finished_at is null)),
    check ((status = 'pending') = (outcome is null))
  )`,
  `create index merge_attempts_owed on merge_attempts (created_at) where status = 'pending'`,
  `create index merge_attempts_cr on merge_attempts (cr_id)`,
  `create table merge_intents (
    intent_id uuid primary key,
    attempt_id uuid not null references merge_attempts on delete cascade,
    cr_id uuid not null references change_requests on delete cascade,
    base_ref text not null,
    base_sha text not null,
    head_sha text not null,
    commit_sha text not null,
    fast_forward boolean not null,
    state text not null default 'planned' check (state in ('planned', 'moved', 'abandoned')),
    created_at timestamptz(3) not null
  )`,
  `create unique index merge_intents_open on merge_intents (cr_id) where state = 'planned'`,
]
