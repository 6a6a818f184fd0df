export const in_transaction = false

/** The index of live calls that `gateway_calls_running` took the place of. */
export const statements: readonly string[] = [`drop index concurrently if exists gateway_calls_live`]
