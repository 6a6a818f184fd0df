/** Decisions of an operator about an account: limits before those of its plan, a suspension, and its features. */
export const statements: readonly string[] = [
  `alter table accounts add column limit_live_sessions integer`,
  `alter table accounts add column limit_projects integer`,
  `alter table accounts add column limit_storage_mb integer`,
  `alter table accounts add column suspended_at timestamptz(3)`,
  `alter table accounts add column suspended_reason text`,
  `alter table accounts add constraint accounts_limits_check
    check (limit_live_sessions >= 0 and limit_projects >= 0 and limit_storage_mb >= 0) not valid`,
  `alter table accounts add constraint accounts_suspended_check
    check (suspended_at is not null or suspended_reason is null) not valid`,

  `create table account_features (
    account_id uuid not null references accounts on delete cascade,
    feature text not null,
    enabled boolean not null,
    updated_by uuid not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, feature)
  )`,
  // A feature that has no row is available, with the default of this release.
  `create table platform_features (
    feature text primary key,
    available boolean not null default true,
    enabled_by_default boolean,
    updated_by uuid not null,
    updated_at timestamptz(3) not null
  )`,
]
