/**
 * Pages of a channel are told of what came in after its commit, as its worker is: a crowd of messages commits side by side.
 * A build that knows the trigger alone tells them with the verdict.
 */
export const statements: readonly string[] = [
  `drop trigger if exists channel_deliveries_shown on channel_deliveries`,
]
