import { sql } from 'kysely'
import type { Suspension } from '../accounts/accounts.table.ts'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'
import { prepared } from '../kit/prepared.ts'

export interface SessionCaps {
  /** Session cap of the account's plan. */
  readonly session_cap: number
  /** The operator's for this account; null where there is none. */
  readonly limit_live_sessions: number | null
}

export interface AccountTerms extends SessionCaps, Suspension {
  /** True when its repositories hold more than the operator lets them. */
  readonly over_storage: boolean
  readonly limit_storage_mb: number | null
}

/** Bytes of the repositories of the account `a`, as they were measured last. */
const storage = sql`(select coalesce(sum(r.bytes), 0) from repositories r
  join projects p using (project_id) where p.account_id = a.account_id)`

/**
 * Holds the account's row until the transaction ends, so that what is counted stays true: what it may have. The count is
 * a statement of its own, since one that waits for the row would count what was there before it waited.
 */
export async function lock(tx: Db, account_id: string): Promise<AccountTerms | undefined> {
  const { rows } = await sql<AccountTerms>`${prepared}
    select p.session_cap, a.limit_live_sessions, a.limit_storage_mb, a.suspended_at, a.suspended_reason,
      a.limit_storage_mb is not null and ${storage} > a.limit_storage_mb * 1048576::bigint as over_storage
    from accounts a join plans p on p.tier = a.tier where a.account_id = ${account_id}
    for no key update of a`.execute(tx)
  return rows[0]
}

/** Bytes that the other repositories of a project's account take, as they were measured last. */
export async function storageBeside(db: Db, project_id: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(r.bytes), 0)::float8 as bytes from projects mine
    join projects p using (account_id) join repositories r on r.project_id = p.project_id
    where mine.project_id = ${project_id} and p.project_id <> ${project_id}`.execute(db)
  return rows[0]?.bytes ?? 0
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
