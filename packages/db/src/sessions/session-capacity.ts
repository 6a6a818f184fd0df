import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'
import { prepared } from '../kit/prepared.ts'

/**
 * Holds the account's row until the transaction ends, so that what is counted stays true: the cap of its plan. The count is
 * a statement of its own, since one that waits for the row would count what was there before it waited.
 */
export async function lock(
  tx: Db,
  account_id: string,
): Promise<{ readonly session_cap: number } | undefined> {
  const { rows } = await sql<{ session_cap: number }>`${prepared}
    select p.session_cap from accounts a join plans p on p.tier = a.tier where a.account_id = ${account_id}
    for no key update of a`.execute(tx)
  return rows[0]
}

export interface AccountRoom {
  /** Sessions that hold or are about to hold a sandbox; the platform's own sessions do not count. */
  readonly live: number
  /** True when a create waits already: a later create goes behind it. */
  readonly waiting: boolean
}

export async function measure(tx: Db, account_id: string): Promise<AccountRoom> {
  const { rows } = await sql<AccountRoom>`${prepared}
    select (select count(*) from project_sessions where account_id = ${account_id}
        and status in ${live} and deleted_at is null and origin <> 'system') as live,
      exists (select from session_creates where account_id = ${account_id}) as waiting`.execute(tx)
  return rows[0] ?? { live: 0, waiting: false }
}
