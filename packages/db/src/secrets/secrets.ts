import type { Db } from '../database.ts'
import type { ProjectSecretRow } from './secrets.table.ts'

export async function list(db: Db, project_id: string): Promise<ProjectSecretRow[]> {
  return db
    .selectFrom('project_secrets')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('name')
    .execute()
}

export async function put(db: Db, secret: ProjectSecretRow): Promise<ProjectSecretRow> {
  return db
    .insertInto('project_secrets')
    .values(secret)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'name'])
        .doUpdateSet({ sealed_value: secret.sealed_value, updated_at: secret.updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function remove(db: Db, project_id: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('project_secrets')
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts this write, unless the project has had `limit` writes since `since`; `oldest` is the first of those that count. */
export async function countWrite(
  tx: Db,
  project_id: string,
  now: Date,
  since: Date,
  limit: number,
): Promise<{ readonly allowed: boolean; readonly writes: number; readonly oldest: Date }> {
  await tx
    .selectFrom('projects')
    .select('project_id')
    .where('project_id', '=', project_id)
    .forNoKeyUpdate()
    .execute()
  await tx
    .deleteFrom('project_secret_writes')
    .where('project_id', '=', project_id)
    .where('at', '<=', since)
    .execute()
  const { writes, oldest } = await tx
    .selectFrom('project_secret_writes')
    .select(({ fn }) => [fn.countAll<number>().as('writes'), fn.min('at').as('oldest')])
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  if (writes >= limit) return { allowed: false, writes, oldest: oldest ?? now }
  await tx.insertInto('project_secret_writes').values({ project_id, at: now }).execute()
  return { allowed: true, writes: writes + 1, oldest: oldest ?? now }
}
