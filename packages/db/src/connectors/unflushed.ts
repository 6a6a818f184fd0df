import { sql } from 'kysely'

/**
 * To be returned by a statement that is a transaction of its own: its commit does not wait for the disk. For what is lost
 * with the server alone, and then does no harm: later commits that wait bring it to the disk before them.
 */
export const unflushed = sql<string>`set_config('synchronous_commit', 'off', true)`.as('unflushed')
