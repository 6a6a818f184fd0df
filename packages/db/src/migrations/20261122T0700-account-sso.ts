/** Mail domains that accounts proved to be theirs, and the OpenID provider that signs in the people of those. */
export const statements: readonly string[] = [
  // In the form that name servers know: small letters, Punycode, no dot at the end.
  `create table account_domains (
    account_id uuid not null references accounts on delete cascade,
    domain text not null check (domain = lower(domain) and domain ~ '^[a-z0-9-]+(\\.[a-z0-9-]+)+$'),
    challenge text not null check (challenge <> ''),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) check ((expires_at is null) = (verified_at is not null)),
    verified_at timestamptz(3),
    primary key (account_id, domain)
  )`,
  // Claims of one domain do not stand in each other's way, proofs do.
  `create unique index account_domains_verified on account_domains (domain) where verified_at is not null`,

  `create table account_sso (
    account_id uuid primary key references accounts on delete cascade,
    issuer text not null check (issuer <> ''),
    client_id text not null check (client_id <> ''),
    sealed_data_key text not null,
    sealed_client_secret text not null,
    enforced boolean not null,
    default_role text not null check (default_role in ('admin', 'member')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,

  // The account whose own provider stands behind a sign-in.
  `alter table sign_in_codes add column sso_account_id uuid references accounts on delete cascade
    check (sso_account_id is null or purpose = 'sso')`,
  `alter table sign_ins add column sso_account_id uuid references accounts on delete cascade
    check (sso_account_id is null or method = 'sso')`,
  `create index sign_ins_sso_account on sign_ins (sso_account_id) where sso_account_id is not null`,

  // An approval that was given with a minted token reaches what that token reaches.
  `alter table oauth_artefacts add column by_token boolean not null default false check (model = 'Grant' or not by_token)`,
  `alter table oauth_artefacts add column sso_account_id uuid references accounts on delete cascade
    check (model = 'Grant' or sso_account_id is null)`,
  `create index oauth_artefacts_sso_account on oauth_artefacts (sso_account_id) where sso_account_id is not null`,
]
