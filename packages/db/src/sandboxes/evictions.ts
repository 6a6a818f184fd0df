import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'

/**
 * Sandboxes that may not stay: those of a suspended account, and those of a machine that drains, once they are at nothing
 * or its deadline has come. Along `accounts_suspended` and `session_sandboxes_machine`.
 */
export async function list(db: Db, query: { readonly now: Date; readonly limit: number }): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    (select s.session_id from accounts a join project_sessions s using (account_id)
      where a.suspended_at is not null and ${isLive} limit ${query.limit})
    union
    (select b.session_id from machines m join session_sandboxes b using (machine)
      join project_sessions s using (session_id)
      where m.state = 'draining' and b.status = 'active' and ${isLive} and ${isOver(query.now)}
      limit ${query.limit})`.execute(db)
  return rows.map(({ session_id }) => session_id)
}

/** Why one of them may not stay; null when it may. */
export async function reasonFor(
  db: Db,
  session_id: string,
  now: Date,
): Promise<'suspended' | 'draining' | null> {
  const { rows } = await sql<{ suspended: boolean; draining: boolean | null }>`
    select a.suspended_at is not null as suspended,
      (select m.state = 'draining' and b.status = 'active' and ${isOver(now)}
        from session_sandboxes b join machines m using (machine) where b.session_id = s.session_id) as draining
    from project_sessions s join accounts a using (account_id)
    where s.session_id = ${session_id} and ${isLive}`.execute(db)
  const [found] = rows
  if (found?.suspended === true) return 'suspended'
  return found?.draining === true ? 'draining' : null
}

const isLive = sql`s.status in ${live} and s.deleted_at is null`

/** The sandbox `b` of a machine `m` that drains is at nothing, or the time is over that busy ones are given. */
const isOver = (now: Date) => sql`(m.drain_until <= ${now}
  or (b.lease_expires_at is null or b.lease_expires_at < ${now})
    and not exists (select from session_prompts p
      where p.session_id = b.session_id and p.state in ('pending', 'delivered', 'running')))`
