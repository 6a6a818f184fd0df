/** Plans that an operator adds: a plan of an account is any that has a row. */
export const statements: readonly string[] = [
  `alter table accounts drop constraint accounts_tier_check`,
  `alter table plans drop constraint plans_tier_check`,
  `alter table plans add constraint plans_tier_check check (tier ~ '^[a-z][a-z0-9_]{0,31}$') not valid`,
  `alter table accounts add constraint accounts_tier_fkey foreign key (tier) references plans (tier) not valid`,
]
