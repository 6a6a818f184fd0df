/** Addresses that are told of events, what they prove the sender with, and each event on its way to each of them. */
export const statements: readonly string[] = [
  `create table event_subscriptions (
    subscription_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    url text not null check (char_length(url) between 1 and 2048),
    name text check (char_length(name) between 1 and 100),
    types text[] not null check (cardinality(types) between 1 and 50),
    sealed_data_key text not null,
    -- Headers of its own, as a sealed JSON object; their names are shown.
    sealed_headers text,
    header_names text[] not null default '{}',
    ordering text not null check (ordering in ('none', 'strict')),
    status text not null check (status in ('enabled', 'disabled')),
    disabled_reason text check (disabled_reason in ('user', 'gone', 'too_many_failures')),
    disabled_at timestamptz(3),
    exhausted_in_a_row integer not null default 0 check (exhausted_in_a_row >= 0),
    next_position bigint not null default 1,
    created_by uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((status = 'disabled') = (disabled_reason is not null)),
    check ((status = 'disabled') = (disabled_at is not null))
  )`,
  `create index event_subscriptions_account on event_subscriptions (account_id, created_at, subscription_id)`,
  `create index event_subscriptions_project on event_subscriptions (project_id) where project_id is not null`,
  `create index event_subscriptions_broken on event_subscriptions (project_id)
    where disabled_reason in ('gone', 'too_many_failures')`,
  `create table event_subscription_secrets (
    secret_id uuid primary key,
    subscription_id uuid not null references event_subscriptions on delete cascade,
    sealed_secret text not null,
    -- The last moment that it signs; null for the current one.
    not_after timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  `create unique index event_subscription_secrets_current on event_subscription_secrets (subscription_id)
    where not_after is null`,
  `create table event_deliveries (
    delivery_id uuid primary key,
    subscription_id uuid not null references event_subscriptions on delete cascade,
    event_id text not null references platform_events on delete cascade,
    position bigint not null,
    replay integer not null default 0 check (replay >= 0),
    state text not null
      check (state in ('pending', 'sending', 'failed', 'delivered', 'exhausted', 'cancelled')),
    attempts integer not null default 0,
    next_at timestamptz(3),
    lease_until timestamptz(3),
    last_status integer,
    last_error text,
    finished_at timestamptz(3),
    created_at timestamptz(3) not null,
    unique (subscription_id, event_id, replay),
    unique (subscription_id, position),
    check ((state in ('pending', 'failed')) = (next_at is not null)),
    check ((state = 'sending') = (lease_until is not null)),
    check ((state in ('delivered', 'exhausted', 'cancelled')) = (finished_at is not null))
  )`,
  `create index event_deliveries_due on event_deliveries (next_at, subscription_id)
    where state in ('pending', 'failed')`,
  `create index event_deliveries_leased on event_deliveries (lease_until, subscription_id) where state = 'sending'`,
  `create index event_deliveries_open on event_deliveries (subscription_id, position)
    where state in ('pending', 'sending', 'failed')`,
  `create index event_deliveries_event on event_deliveries (event_id)`,
  `create table event_attempts (
    delivery_id uuid not null references event_deliveries on delete cascade,
    number integer not null,
    at timestamptz(3) not null,
    status integer,
    duration_ms integer not null,
    error text,
    -- The beginning of the answer.
    answer text,
    primary key (delivery_id, number)
  )`,
]
