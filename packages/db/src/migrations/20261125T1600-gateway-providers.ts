/** The providers of models in three places, their keys, how these fare, and what a place decides about models. */
export const statements: readonly string[] = [
  `create table gateway_providers (
    provider_id uuid primary key,
    scope text not null check (scope in ('operator', 'account', 'project')),
    account_id uuid references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    slug text not null check (slug ~ '^[a-z0-9][a-z0-9_-]{0,63}$' and slug <> 'auto'),
    kind text not null check (kind in ('openai', 'openai_compatible', 'anthropic', 'demo')),
    base_url text not null,
    models jsonb check (jsonb_typeof(models) = 'array'),
    deadlines jsonb not null default '{}' check (jsonb_typeof(deadlines) = 'object'),
    output_limit_field text not null check (output_limit_field in ('max_tokens', 'max_completion_tokens')),
    enabled boolean not null default true,
    managed_by text not null check (managed_by in ('api', 'environment')),
    created_by uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique nulls not distinct (scope, account_id, project_id, slug),
    check ((account_id is not null) = (scope = 'account')),
    check ((project_id is not null) = (scope = 'project')),
    check (managed_by = 'api' or scope = 'operator'),
    check ((slug = 'svc') <= (managed_by = 'environment')),
    check ((kind = 'demo') <= (slug = 'svc'))
  )`,
  `create index gateway_providers_account on gateway_providers (account_id) where account_id is not null`,
  `create index gateway_providers_project on gateway_providers (project_id) where project_id is not null`,

  // Sealed under the gateway's own master key, or the name of a variable of the gateway's.
  `create table gateway_provider_keys (
    key_id uuid primary key,
    provider_id uuid not null references gateway_providers on delete cascade,
    name text not null,
    sealed text,
    variable text,
    hint text not null,
    enabled boolean not null default true,
    cooling_until timestamptz(3),
    last_used_at timestamptz(3),
    last_error text,
    created_at timestamptz(3) not null,
    unique (provider_id, name),
    check ((sealed is null) <> (variable is null))
  )`,

  // A provider without keys has its own id for one.
  `create table gateway_breakers (
    provider_id uuid not null references gateway_providers on delete cascade,
    key_id uuid not null,
    state text not null check (state in ('closed', 'open', 'half_open')),
    failures integer not null check (failures >= 0),
    since timestamptz(3) not null,
    probe_at timestamptz(3),
    primary key (provider_id, key_id),
    check ((probe_at is null) = (state = 'closed'))
  )`,

  `create table gateway_settings (
    scope text not null check (scope in ('operator', 'account', 'project')),
    account_id uuid references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    default_model text,
    models text[],
    agents jsonb not null default '{}' check (jsonb_typeof(agents) = 'object'),
    fallbacks jsonb not null default '{}' check (jsonb_typeof(fallbacks) = 'object'),
    log_bodies boolean not null default false,
    body_days integer not null default 7 check (body_days between 1 and 90),
    revision bigint not null default 1,
    unique nulls not distinct (scope, account_id, project_id),
    check ((account_id is not null) = (scope = 'account')),
    check ((project_id is not null) = (scope = 'project'))
  )`,

  `create table gateway_prices (
    scope text not null check (scope in ('operator', 'account', 'project')),
    account_id uuid references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    model text not null,
    price_id text not null,
    card jsonb not null check (jsonb_typeof(card) = 'object'),
    updated_at timestamptz(3) not null,
    unique nulls not distinct (scope, account_id, project_id, model),
    check ((account_id is not null) = (scope = 'account')),
    check ((project_id is not null) = (scope = 'project'))
  )`,
]
