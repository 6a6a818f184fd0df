/** Apps of projects: what the manifest declares, the releases that were made of it, and what each address shows. */
export const statements: readonly string[] = [
  `alter table projects add column apps_commit_sha text`,
  `create table apps (
    app_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid not null references projects on delete cascade,
    name text not null,
    type text not null check (type in ('static', 'bundle', 'dockerfile', 'oci_image')),
    declared boolean not null,
    desired text not null check (desired in ('serving', 'stopped')),
    access_mode text not null check (access_mode in ('private', 'project', 'restricted', 'public', 'password')),
    password_hash text,
    policy_revision integer not null check (policy_revision > 0),
    max_concurrency integer not null check (max_concurrency between 1 and 10000),
    preview_secrets text[] not null,
    -- The last ones given out.
    last_number integer not null check (last_number >= 0),
    last_event_seq bigint not null,
    last_line_seq bigint not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (project_id, name),
    check (access_mode <> 'password' or password_hash is not null)
  )`,
  `create index apps_account on apps (account_id)`,

  `create table app_viewers (
    app_id uuid not null references apps on delete cascade,
    user_id uuid references users on delete cascade,
    group_id uuid references scim_groups (group_id) on delete cascade,
    check (num_nonnulls(user_id, group_id) = 1),
    unique nulls not distinct (app_id, user_id, group_id)
  )`,
  `create index app_viewers_user on app_viewers (user_id) where user_id is not null`,
  `create index app_viewers_group on app_viewers (group_id) where group_id is not null`,

  `create table app_channels (
    channel_id uuid primary key,
    app_id uuid not null references apps on delete cascade,
    project_id uuid not null references projects on delete cascade,
    kind text not null check (kind in ('production', 'preview')),
    cr_id uuid references change_requests on delete cascade,
    label text not null unique,
    -- Of its own releases; a reference would close a circle, in which no restore has an order.
    current_release_id uuid,
    -- Releases up to this number never become the current one again by being ready.
    floor_number integer not null check (floor_number >= 0),
    seq integer not null check (seq >= 0),
    closed_at timestamptz(3),
    created_at timestamptz(3) not null,
    check ((kind = 'preview') = (cr_id is not null))
  )`,
  `create unique index app_channels_production on app_channels (app_id) where kind = 'production'`,
  `create unique index app_channels_preview on app_channels (app_id, cr_id)
    where kind = 'preview' and closed_at is null`,
  `create index app_channels_project on app_channels (project_id)`,
  `create index app_channels_change_request on app_channels (cr_id) where cr_id is not null`,

  `create table app_releases (
    release_id uuid primary key,
    app_id uuid not null references apps on delete cascade,
    project_id uuid not null references projects on delete cascade,
    channel_id uuid not null references app_channels on delete cascade,
    number integer not null check (number > 0),
    source text not null check (source in ('merge', 'manual', 'preview')),
    commit_sha text not null check (commit_sha ~ '^[0-9a-f]{40}$'),
    config jsonb not null check (jsonb_typeof(config) = 'object'),
    input_hash text not null,
    status text not null check (status in (
      'queued', 'validating', 'building', 'provisioning', 'checking', 'ready', 'failed', 'cancelled')),
    artifact jsonb check (jsonb_typeof(artifact) = 'object'),
    provider text not null,
    failure jsonb check (jsonb_typeof(failure) = 'object'),
    issues jsonb not null check (jsonb_typeof(issues) = 'array'),
    superseded_by integer,
    attempts integer not null check (attempts >= 0),
    created_by uuid,
    idempotency_key text,
    created_at timestamptz(3) not null,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    updated_at timestamptz(3) not null,
    unique (app_id, number),
    check (status <> 'ready' or artifact is not null),
    check ((status = 'failed') = (failure is not null)),
    check ((status in ('ready', 'failed', 'cancelled')) = (finished_at is not null))
  )`,
  `create unique index app_releases_merge on app_releases (channel_id, commit_sha, input_hash)
    where source = 'merge'`,
  `create unique index app_releases_key on app_releases (app_id, idempotency_key)
    where idempotency_key is not null`,
  `create index app_releases_open on app_releases (updated_at)
    where status in ('queued', 'validating', 'building', 'provisioning', 'checking')`,
  `create index app_releases_project on app_releases (project_id)`,
  `create function keep_app_release() returns trigger language plpgsql as $$
  begin
    if new.commit_sha <> old.commit_sha or new.config <> old.config or new.number <> old.number
      or (old.artifact is not null and new.artifact is distinct from old.artifact)
    then
      raise exception 'A release keeps its commit, its configuration and its artifact' using errcode = '55000';
    end if;
    return new;
  end
  $$`,
  `create trigger keep_app_release before update on app_releases
    for each row execute function keep_app_release()`,

  `create table app_release_files (
    release_id uuid not null references app_releases on delete cascade,
    path text not null,
    sha256 text not null,
    bytes bigint not null check (bytes >= 0),
    content_type text not null,
    br_sha256 text,
    gzip_sha256 text,
    hashed boolean not null,
    primary key (release_id, path)
  )`,

  `create table app_rollouts (
    rollout_id uuid primary key,
    app_id uuid not null references apps on delete cascade,
    channel_id uuid not null references app_channels on delete cascade,
    kind text not null check (kind in ('release', 'rollback')),
    to_release_id uuid not null references app_releases on delete cascade,
    expected_release_id uuid,
    status text not null check (status in ('pending', 'starting', 'switched', 'drained', 'failed')),
    asked_by uuid,
    error text,
    created_at timestamptz(3) not null,
    switched_at timestamptz(3),
    finished_at timestamptz(3),
    check ((status in ('drained', 'failed')) = (finished_at is not null))
  )`,
  `create unique index app_rollouts_open on app_rollouts (channel_id) where status in ('pending', 'starting')`,
  `create index app_rollouts_app on app_rollouts (app_id, created_at desc, rollout_id)`,
  `create index app_rollouts_release on app_rollouts (to_release_id)`,

  `create table app_switches (
    channel_id uuid not null references app_channels on delete cascade,
    seq integer not null,
    from_release_id uuid,
    to_release_id uuid not null,
    kind text not null check (kind in ('release', 'rollback')),
    at timestamptz(3) not null,
    asked_by uuid,
    primary key (channel_id, seq)
  )`,

  `create table app_log_lines (
    app_id uuid not null references apps on delete cascade,
    seq bigint not null,
    release_id uuid not null references app_releases on delete cascade,
    source text not null check (source in ('build', 'platform')),
    stream text not null check (stream in ('stdout', 'stderr')),
    at timestamptz(3) not null,
    line text not null,
    primary key (app_id, seq)
  )`,
  `create index app_log_lines_release on app_log_lines (release_id, seq)`,

  `create table app_events (
    app_id uuid not null references apps on delete cascade,
    seq bigint not null,
    type text not null,
    data jsonb not null check (jsonb_typeof(data) = 'object'),
    at timestamptz(3) not null,
    primary key (app_id, seq)
  )`,
  `create index app_events_at on app_events (at)`,

  // A way in that a known person was given, to be opened once.
  `create table app_exchanges (
    code_hash bytea primary key,
    channel_id uuid not null references app_channels on delete cascade,
    viewer uuid not null references users on delete cascade,
    return_path text not null,
    policy_revision integer not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  `create index app_exchanges_channel on app_exchanges (channel_id)`,
  `create index app_exchanges_viewer on app_exchanges (viewer)`,
  `create index app_exchanges_expiry on app_exchanges (expires_at)`,

  // Visitors who came in: a cookie or a token that an app's host takes. Without a viewer it was the password.
  `create table app_visits (
    token_hash bytea primary key,
    channel_id uuid not null references app_channels on delete cascade,
    viewer uuid references users on delete cascade,
    policy_revision integer not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index app_visits_channel on app_visits (channel_id)`,
  `create index app_visits_viewer on app_visits (viewer) where viewer is not null`,
  `create index app_visits_expiry on app_visits (expires_at)`,
]
