/** A statement that waits for a lock makes all that come after it wait: it gives up soon, and is tried again later. */
export const lockTimeout = '2s'
/** One that works concurrently makes no writer wait: it may take its time for the transactions of others to end. */
export const concurrentLockTimeout = '60s'

/**
 * One that waits while its transaction holds a lock may stand in a circle with a request that waits for that one. PostgreSQL looks for
 * circles a second after a wait began, and may end the request: this gives up before, and waits longer at each try.
 */
export const holdingLockTimeout = (tries: number): string => `${Math.min(tries * 100, 900)}ms`
