/**
 * The word of what came in is sent after its commit, so that a crowd of messages does not commit one after another. A build
 * that knows the trigger alone has no word of it then, and its sweep finds it.
 */
export const statements: readonly string[] = [
  `drop trigger if exists channel_deliveries_told on channel_deliveries`,
]
