/** The sign-in of people: passwords, second factors, codes by mail, and the sign-ins themselves. */
export const statements: readonly string[] = [
  `alter table accounts add column mfa_required boolean not null default false`,

  `create index account_invitations_email on account_invitations (lower(email))`,

  `create table user_credentials (
    user_id uuid primary key references users on delete cascade,
    password_hash text check (password_hash like '$argon2id$%'),
    email_verified_at timestamptz(3),
    updated_at timestamptz(3) not null
  )`,
  // The secret is sealed with a key of its own, which the master key seals.
  `create table user_totp (
    user_id uuid primary key references users on delete cascade,
    sealed_data_key text not null,
    sealed_secret text not null,
    confirmed_at timestamptz(3),
    last_step bigint,
    created_at timestamptz(3) not null,
    check ((confirmed_at is null) = (last_step is null))
  )`,
  `create table user_recovery_codes (
    code_hash bytea primary key check (octet_length(code_hash) = 32),
    user_id uuid not null references user_totp on delete cascade,
    used_at timestamptz(3)
  )`,
  `create index user_recovery_codes_user on user_recovery_codes (user_id)`,

  // A person's identity at a provider; the issuer is part of it, since subjects are unique only within one.
  `create table user_identities (
    issuer text not null check (issuer <> ''),
    subject text not null check (subject <> ''),
    user_id uuid not null references users on delete cascade,
    created_at timestamptz(3) not null,
    primary key (issuer, subject)
  )`,
  `create index user_identities_user on user_identities (user_id)`,

  // Short codes are hashed with a key that is sealed beside them, so that a copy of the table tells none of them.
  `create table sign_in_codes (
    code_id uuid primary key,
    purpose text not null check (purpose in ('signup', 'magic_link', 'recovery', 'sso')),
    email text not null check (email <> '' and email = lower(email)),
    usable boolean not null,
    name text,
    password_hash text check (password_hash like '$argon2id$%'),
    sealed_data_key text not null,
    sealed_pepper text not null,
    code_hash bytea not null check (octet_length(code_hash) = 32),
    link_hash bytea not null unique check (octet_length(link_hash) = 32),
    attempts_left integer not null check (attempts_left >= 0),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    used_at timestamptz(3),
    unique (email, purpose),
    check ((purpose = 'signup') = (password_hash is not null))
  )`,
  `create index sign_in_codes_expiry on sign_in_codes (expires_at)`,

  `create table sign_ins (
    sign_in_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    method text not null check (method in ('password', 'signup', 'magic_link', 'recovery', 'sso')),
    mfa boolean not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    ended_at timestamptz(3),
    end_reason text check (end_reason in ('sign_out', 'reuse', 'password_changed', 'mfa_changed', 'revoked')),
    check ((ended_at is null) = (end_reason is null))
  )`,
  `create index sign_ins_user on sign_ins (user_id)`,
  `create index sign_ins_expiry on sign_ins (expires_at)`,
  // A refresh token is spent once; one that is presented again ends the whole sign-in.
  `create table sign_in_tokens (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    sign_in_id uuid not null references sign_ins on delete cascade,
    kind text not null check (kind in ('access', 'refresh')),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    spent_at timestamptz(3) check (kind = 'refresh' or spent_at is null)
  )`,
  `create index sign_in_tokens_sign_in on sign_in_tokens (sign_in_id)`,
  `create unique index sign_in_tokens_one_refresh on sign_in_tokens (sign_in_id)
    where kind = 'refresh' and spent_at is null`,
]
