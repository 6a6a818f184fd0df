/** The time after which another worker takes up what this one has begun. */
export const leaseMs = 60_000
/** Tries of what came in; then it waits for a replay. */
export const maxAttempts = 8
