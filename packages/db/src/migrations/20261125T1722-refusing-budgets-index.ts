export const in_transaction = false

/** Calls that a budget refused: the inbox reads them. */
export const statements: readonly string[] = [
  `create index concurrently if not exists gateway_calls_refused on gateway_calls (project_id, at)
    where budget_id is not null`,
]
