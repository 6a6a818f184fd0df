/** The OAuth authorization server: its keys, the clients that registered, and what it handed out. */
export const statements: readonly string[] = [
  // One row, made by whichever process came first. Its values are sealed with the operator's master key.
  `create table oauth_keys (
    singleton boolean primary key default true check (singleton),
    sealed_key text not null,
    sealed_value text not null,
    created_at timestamptz(3) not null
  )`,

  `create table oauth_clients (
    client_id text primary key check (client_id <> ''),
    metadata jsonb not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  )`,

  // Found by hashes alone, and sealed: nothing in a copy of this table opens anything.
  `create table oauth_artefacts (
    artefact_id uuid primary key,
    model text not null check (model in
      ('Session', 'Interaction', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken', 'DeviceCode')),
    id_hash bytea not null,
    grant_hash bytea,
    lookup_hash bytea,
    user_id uuid references users on delete cascade,
    client_id text,
    scope text,
    sealed text not null,
    mfa boolean not null default false check (model = 'Grant' or not mfa),
    polled_at timestamptz(3),
    poll_seconds integer not null default 5 check (poll_seconds > 0),
    consumed_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    unique (model, id_hash),
    check (model <> 'AccessToken' or (user_id is not null and client_id is not null and grant_hash is not null)),
    check (model <> 'RefreshToken' or (user_id is not null and client_id is not null and grant_hash is not null)),
    check (model <> 'Grant' or (user_id is not null and client_id is not null and grant_hash is not null))
  )`,
  `create unique index oauth_artefacts_lookup on oauth_artefacts (model, lookup_hash) where lookup_hash is not null`,
  `create index oauth_artefacts_grant on oauth_artefacts (grant_hash) where grant_hash is not null`,
  `create index oauth_artefacts_user on oauth_artefacts (user_id) where user_id is not null`,
  `create index oauth_artefacts_expiry on oauth_artefacts (expires_at)`,
]
