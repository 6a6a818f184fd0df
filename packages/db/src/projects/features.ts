import type { Feature } from '@svc/access'
import type { Db } from '../database.ts'

export interface ProjectFeatureTable {
  project_id: string
  feature: string
  enabled: boolean
  updated_by: string
  updated_at: Date
}

/** Flags that were set for a project; the rest have their defaults. */
export async function list(db: Db, project_id: string): Promise<ProjectFeatureTable[]> {
  return db.selectFrom('project_features').selectAll().where('project_id', '=', project_id).execute()
}

export async function find(db: Db, project_id: string, feature: Feature): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('project_features')
    .select('enabled')
    .where('project_id', '=', project_id)
    .where('feature', '=', feature)
    .executeTakeFirst()
  return row?.enabled
}

export async function set(tx: Db, row: ProjectFeatureTable & { feature: Feature }): Promise<void> {
  const { enabled, updated_by, updated_at } = row
  await tx
    .insertInto('project_features')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'feature']).doUpdateSet({ enabled, updated_by, updated_at }),
    )
    .execute()
}
