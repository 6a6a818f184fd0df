/**
 * The calls of the model gateway, one row each, written as they are admitted, and the cards that price them.
 * Calls refer to no project, token or card: a log outlives them, and all calls at once would share a lock on such a row.
 */
export const statements: readonly string[] = [
  `create table gateway_price_cards (
    price_id text primary key check (price_id ~ '^[0-9a-f]{16}$'),
    card jsonb not null check (jsonb_typeof(card) = 'object'),
    created_at timestamptz(3) not null
  )`,
  `create function gateway_price_cards_are_final() returns trigger language plpgsql as $$
    begin
      raise exception 'A price card never changes';
    end $$`,
  `create trigger gateway_price_cards_are_final before update on gateway_price_cards
    for each row execute function gateway_price_cards_are_final()`,

  `create table gateway_calls (
    call_id uuid primary key,
    at timestamptz(3) not null,
    account_id uuid not null,
    project_id uuid not null,
    session_id uuid,
    prompt_id uuid,
    trigger_slug text,
    agent_name text,
    token_id uuid not null,
    dialect text not null check (dialect in ('chat', 'responses', 'messages', 'embeddings')),
    model_asked text,
    model text,
    provider text,
    provider_scope text check (provider_scope in ('operator', 'account', 'project')),
    status text not null check (status in ('admitted', 'streaming', 'refused', 'settled', 'failed', 'cut', 'lost')),
    live boolean not null check (live = (status in ('admitted', 'streaming'))),
    http_status integer,
    code text,
    streamed boolean not null,
    finish text,
    attempts jsonb not null default '[]',
    input_tokens bigint not null default 0 check (input_tokens >= 0),
    output_tokens bigint not null default 0 check (output_tokens >= 0),
    cache_read_tokens bigint not null default 0 check (cache_read_tokens >= 0),
    cache_write_tokens bigint not null default 0 check (cache_write_tokens >= 0),
    cache_write_1h_tokens bigint not null default 0 check (cache_write_1h_tokens >= 0),
    reasoning_tokens bigint not null default 0 check (reasoning_tokens >= 0),
    estimated boolean not null default false,
    cost_micros bigint check (cost_micros >= 0),
    billed_micros bigint not null default 0 check (billed_micros >= 0),
    hold_micros bigint not null default 0 check (hold_micros >= 0),
    overrun_micros bigint not null default 0 check (overrun_micros >= 0),
    price_id text,
    first_byte_ms integer,
    duration_ms integer,
    request_id text,
    upstream_request_id text,
    expires_at timestamptz(3),
    bounded boolean not null default false,
    lost_micros bigint check (lost_micros >= 0),
    credit_hold_micros bigint check (credit_hold_micros >= 0),
    markup_percent integer not null default 0,
    charged_windows jsonb,
    unique (call_id, live),
    check (live = (expires_at is not null))
  ) with (fillfactor = 70)`,
  // Beats write live rows anew every 2 s: no index names a column that a beat changes.
  `create index gateway_calls_live on gateway_calls (account_id) where live`,
  `create index gateway_calls_project on gateway_calls (project_id, at desc, call_id desc)`,
  `create index gateway_calls_account on gateway_calls (account_id, at)`,
  `create index gateway_calls_session on gateway_calls (session_id, at) where session_id is not null`,
  `create index gateway_calls_token on gateway_calls (token_id, at)`,
  `create index gateway_calls_at on gateway_calls (at)`,

  `create table gateway_spend_days (
    day date not null,
    account_id uuid not null,
    project_id uuid not null,
    session_id uuid,
    trigger_slug text,
    agent_name text,
    token_id uuid not null,
    model text,
    provider text,
    calls bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cache_read_tokens bigint not null,
    cache_write_tokens bigint not null,
    unpriced_calls bigint not null,
    cost_micros bigint not null,
    billed_micros bigint not null,
    unique nulls not distinct
      (project_id, day, session_id, trigger_slug, agent_name, token_id, provider, model, account_id)
  )`,
  `create index gateway_spend_days_account on gateway_spend_days (account_id, day)`,
  `create index gateway_spend_days_session on gateway_spend_days (session_id) where session_id is not null`,

  `create table gateway_key_limits (
    token_id uuid primary key references tokens on delete cascade,
    requests_per_minute integer check (requests_per_minute > 0),
    tokens_per_minute integer check (tokens_per_minute > 0),
    concurrency integer check (concurrency > 0),
    models text[]
  )`,
]
