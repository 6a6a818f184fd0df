import type { AccountRole, ProjectRole } from '@svc/access'
import type { Capability, WatchLevel } from '@svc/facts'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A person who has a role on a project, or who administers the account. */
export interface Reachable {
  readonly user_id: string
  readonly account_role: AccountRole | null
  readonly member_role: ProjectRole | null
  readonly extra: readonly Capability[] | null
  readonly level: WatchLevel | null
  /** They may be pushed to. */
  readonly has_browser: boolean
}

export interface AudiencePlace {
  readonly account_id: string
  /** Null for the admins of the account alone. */
  readonly project_id: string | null
}

/** The people of a place, without service accounts. */
export async function people(db: Db, { account_id, project_id }: AudiencePlace): Promise<Reachable[]> {
  const { rows } = await sql<Reachable>`
    select u.user_id, am.role as account_role, pm.role as member_role, ar.capabilities as extra, w.level,
      exists (select from push_subscriptions ps where ps.user_id = u.user_id) as has_browser
    from (select user_id from account_members where account_id = ${account_id} and role in ('owner', 'admin')
      union select user_id from project_members where project_id = ${project_id}) known
    join users u using (user_id)
    left join account_members am on am.account_id = ${account_id} and am.user_id = u.user_id
    left join project_members pm on pm.project_id = ${project_id} and pm.user_id = u.user_id
    left join account_roles ar on ar.role_id = pm.role_id
    left join project_watches w on w.project_id = ${project_id} and w.user_id = u.user_id
    where not exists (select from service_accounts sa where sa.service_account_id = u.user_id)`.execute(db)
  return rows
}

/** Those of these people to whom a page shows the session now. */
export async function present(
  db: Db,
  session_id: string,
  user_ids: readonly string[],
  now: Date,
): Promise<Set<string>> {
  if (user_ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('session_presence')
    .select('user_id')
    .where('session_id', '=', session_id)
    .where('user_id', 'in', user_ids)
    .where('until', '>', now)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
