import type { Entitlement } from '@svc/access'
import { type Selectable, sql } from 'kysely'
import type { PlanTable, Suspension } from './accounts.table.ts'
import type { Db } from '../database.ts'

/** The plans that hold an entitlement. */
export async function holding(db: Db, entitlement: Entitlement): Promise<string[]> {
  const rows = await db
    .selectFrom('plans')
    .select('tier')
    .where(sql<boolean>`${entitlement} = any(entitlements)`)
    .orderBy('session_cap')
    .execute()
  return rows.map(({ tier }) => tier)
}

/** The plan of the account that owns the project, and whether an operator suspended it. */
export async function ofProject(
  db: Db,
  project_id: string,
): Promise<(Selectable<PlanTable> & Suspension) | undefined> {
  return db
    .selectFrom('plans')
    .innerJoin('accounts', 'accounts.tier', 'plans.tier')
    .innerJoin('projects', 'projects.account_id', 'accounts.account_id')
    .selectAll('plans')
    .select(['accounts.suspended_at', 'accounts.suspended_reason'])
    .where('projects.project_id', '=', project_id)
    .executeTakeFirst()
}
