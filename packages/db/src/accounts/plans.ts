import type { PlanTable } from './accounts.table.ts'
import type { Db } from '../database.ts'

/** The plan of the account that owns the project. */
export async function ofProject(db: Db, project_id: string): Promise<PlanTable | undefined> {
  return db
    .selectFrom('plans')
    .innerJoin('accounts', 'accounts.tier', 'plans.tier')
    .innerJoin('projects', 'projects.account_id', 'accounts.account_id')
    .selectAll('plans')
    .where('projects.project_id', '=', project_id)
    .executeTakeFirst()
}
