export const in_transaction = false

/**
 * The live calls of an account. Statements that read these compare the account's id as a text, which no other index holds:
 * before the table has statistics a planner that may choose reads every call that the account ever made.
 */
export const statements: readonly string[] = [
  `create index concurrently if not exists gateway_calls_running on gateway_calls ((account_id::text)) where live`,
]
