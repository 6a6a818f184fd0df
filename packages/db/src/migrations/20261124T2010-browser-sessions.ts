/** Browsers that are signed in: each holds a cookie and a page key, of which the hashes are kept. */
export const statements: readonly string[] = [
  `create table browser_sessions (
    browser_session_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    cookie_hash bytea not null unique check (octet_length(cookie_hash) = 32),
    page_key_hash bytea not null check (octet_length(page_key_hash) = 32),
    source text not null check (source in ('sign_in', 'app', 'token')),
    sign_in_id uuid references sign_ins on delete cascade,
    token_id uuid references tokens on delete cascade,
    grant_hash bytea check (octet_length(grant_hash) = 32),
    client_id text,
    scope text,
    keep boolean not null,
    user_agent text,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    check ((source = 'sign_in') = (sign_in_id is not null)),
    check ((source = 'token') = (token_id is not null)),
    check ((source = 'app') = (grant_hash is not null)),
    check ((source = 'app') = (client_id is not null))
  )`,
  `create index browser_sessions_user on browser_sessions (user_id, created_at desc)`,
  `create index browser_sessions_expiry on browser_sessions (expires_at)`,
  `create index browser_sessions_sign_in on browser_sessions (sign_in_id) where sign_in_id is not null`,
  `create index browser_sessions_token on browser_sessions (token_id) where token_id is not null`,
]
