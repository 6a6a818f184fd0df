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

export type PlanRow = Selectable<PlanTable>

export async function list(db: Db): Promise<PlanRow[]> {
  return db.selectFrom('plans').selectAll().orderBy('session_cap').orderBy('tier').execute()
}

export async function find(db: Db, tier: string): Promise<PlanRow | undefined> {
  return db.selectFrom('plans').selectAll().where('tier', '=', tier).executeTakeFirst()
}

/** Makes the plan, or replaces the whole row. */
export async function put(tx: Db, plan: PlanRow): Promise<void> {
  const { tier: _, ...row } = plan
  await tx
    .insertInto('plans')
    .values(plan)
    .onConflict((conflict) => conflict.column('tier').doUpdateSet(row))
    .execute()
}

/** Removes a plan that no account has; an account that gets it meanwhile waits for this transaction, and is refused. */
export async function remove(tx: Db, tier: string): Promise<'removed' | 'unknown' | 'used'> {
  const row = await tx
    .selectFrom('plans')
    .select('tier')
    .where('tier', '=', tier)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  const used = await tx
    .selectFrom('accounts')
    .select('account_id')
    .where('tier', '=', tier)
    .limit(1)
    .executeTakeFirst()
  if (used !== undefined) return 'used'
  await tx.deleteFrom('plans').where('tier', '=', tier).execute()
  return 'removed'
}
