/** Ports of sandboxes that a browser sees, each at a host name of its own. */
export const statements: readonly string[] = [
  // The secret is the ticket first and the cookie that it is given for afterwards: never both.
  `create table session_previews (
    label text primary key check (label ~ '^[0-9a-f]{32}$'),
    session_id uuid not null references project_sessions on delete cascade,
    port integer not null check (port between 1 and 65535),
    user_id uuid not null references users on delete cascade,
    credential_prefix text not null check (credential_prefix <> ''),
    credential_hash bytea not null check (octet_length(credential_hash) = 32),
    state text not null check (state in ('ticket', 'open')),
    secret_hash bytea not null check (octet_length(secret_hash) = 32),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at)
  )`,
  `create index session_previews_of_person on session_previews (session_id, user_id, created_at)`,
  `create index session_previews_user on session_previews (user_id)`,
  `create index session_previews_expiry on session_previews (expires_at)`,
]
