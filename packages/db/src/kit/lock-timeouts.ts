import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from './prepared.ts'

/** Until the transaction ends, a statement fails that waits longer than this for a lock, or runs twice as long. */
export async function setLockTimeouts(tx: Db, lock_ms: number): Promise<void> {
  await sql`${prepared}
    select set_config('lock_timeout', ${String(lock_ms)}, true),
      set_config('statement_timeout', ${String(2 * lock_ms)}, true)`.execute(tx)
}
