export const in_transaction = false

/** Accounts by name for an operator, and those few that are suspended. */
export const statements: readonly string[] = [
  `create index concurrently if not exists accounts_by_name on accounts (name, account_id)`,
  `create index concurrently if not exists accounts_suspended on accounts (account_id) where suspended_at is not null`,
]
