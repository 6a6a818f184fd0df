/** Notifications of people, their wishes about them, and mails and pushes that are owed. */
const ended = (name: string, table: string, subject: string, when: string) => [
  // With the rights of the schema's owner: the services that end asks and calls have none on notifications.
  `create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    update notifications set read_at = clock_timestamp(), push_at = null
      where subject = ${subject} and read_at is null;
    return null;
  end
$$`,
  `create trigger ${table}_read after update on ${table} for each row when (${when}) execute function ${name}()`,
]

export const statements: readonly string[] = [
  `create table notification_digests (
    digest_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    attempts integer not null default 0 check (attempts >= 0),
    next_at timestamptz(3),
    sent_at timestamptz(3),
    error text,
    check (sent_at is null or next_at is null)
  )`,
  `create index notification_digests_due on notification_digests (next_at) where next_at is not null`,
  `create index notification_digests_user on notification_digests (user_id, created_at)`,
  `create table notifications (
    notification_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    session_id uuid,
    kind text not null check (kind in ('needs_me', 'cr_opened', 'cr_merged', 'cr_failed', 'session_failed',
      'trigger_failed', 'budget_alert', 'delivery_disabled')),
    event_id text not null,
    subject text,
    title text not null,
    text text not null,
    path text not null,
    -- Shown in the list; false where the person wants it on other ways alone.
    in_app boolean not null,
    created_at timestamptz(3) not null,
    read_at timestamptz(3),
    mailed_at timestamptz(3),
    digest_id uuid references notification_digests on delete set null,
    push_at timestamptz(3),
    position bigint generated always as identity,
    unique (user_id, event_id, kind),
    check (read_at is null or push_at is null)
  )`,
  `create index notifications_of_user on notifications (user_id, position)`,
  `create index notifications_unread on notifications (user_id, position) where read_at is null`,
  `create index notifications_unmailed on notifications (created_at, user_id)
    where read_at is null and mailed_at is null and digest_id is null`,
  `create index notifications_digest on notifications (digest_id) where digest_id is not null`,
  `create index notifications_push on notifications (push_at) where push_at is not null`,
  `create index notifications_subject on notifications (subject) where subject is not null and read_at is null`,
  `create index notifications_age on notifications (created_at)`,
  `create index notifications_account on notifications (account_id)`,
  `create index notifications_project on notifications (project_id) where project_id is not null`,
  `create table notification_settings (
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('needs_me', 'cr_opened', 'cr_merged', 'cr_failed', 'session_failed',
      'trigger_failed', 'budget_alert', 'delivery_disabled')),
    way text not null check (way in ('in_app', 'email', 'push', 'channel')),
    is_on boolean not null,
    primary key (user_id, kind, way)
  )`,
  `create table project_watches (
    user_id uuid not null references users on delete cascade,
    project_id uuid not null references projects on delete cascade,
    level text not null check (level in ('all', 'mine', 'none')),
    primary key (user_id, project_id)
  )`,
  `create index project_watches_project on project_watches (project_id)`,
  `create table session_presence (
    user_id uuid not null references users on delete cascade,
    session_id uuid not null,
    until timestamptz(3) not null,
    primary key (user_id, session_id)
  )`,
  `create index session_presence_until on session_presence (until)`,
  `create table push_subscriptions (
    subscription_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    endpoint text not null check (char_length(endpoint) between 1 and 2048),
    p256dh text not null,
    auth text not null,
    failures integer not null default 0 check (failures >= 0),
    created_at timestamptz(3) not null,
    unique (endpoint)
  )`,
  `create index push_subscriptions_user on push_subscriptions (user_id)`,
  `create table notification_keys (
    singleton boolean primary key default true check (singleton),
    sealed_key text not null,
    sealed_value text not null,
    created_at timestamptz(3) not null
  )`,
  `create table trigger_writers (
    project_id uuid not null references projects on delete cascade,
    slug text not null,
    user_id uuid not null,
    primary key (project_id, slug)
  )`,
  `create function note_trigger_writer() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    written text := coalesce(new.edit ->> 'slug', new.edit -> 'trigger' ->> 'slug');
  begin
    if new.edit ->> 'kind' = 'remove_trigger' then
      delete from trigger_writers where project_id = new.project_id and slug = written;
    elsif new.edit ->> 'kind' in ('add_trigger', 'change_trigger', 'set_enabled') and written is not null then
      insert into trigger_writers values (new.project_id, written, new.requested_by)
        on conflict (project_id, slug) do update set user_id = excluded.user_id;
    end if;
    return null;
  end
$$`,
  `create trigger manifest_edits_writer after update on manifest_edits for each row
    when (old.status is distinct from new.status and new.status = 'done') execute function note_trigger_writer()`,
  ...ended(
    'read_answered_ask',
    'session_asks',
    `new.session_id || '/' || new.request_id`,
    `old.state = 'asked' and new.state <> 'asked'`,
  ),
  ...ended(
    'read_decided_approval',
    'connector_approvals',
    'new.call_id::text',
    `old.status = 'pending' and new.status <> 'pending'`,
  ),
  // One word a transaction and person: PostgreSQL sends the same one once.
  `create function tell_notification() returns trigger language plpgsql as $$
  begin
    perform pg_notify('svc_notification', json_build_object('user_id', new.user_id)::text);
    return null;
  end
$$`,
  `create trigger notifications_told after insert on notifications
    for each row execute function tell_notification()`,
  `create trigger notifications_retold after update of read_at on notifications for each row
    when (old.read_at is distinct from new.read_at) execute function tell_notification()`,
]
