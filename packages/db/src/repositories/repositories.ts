import type { Db } from '../database.ts'

export interface RepositorySize {
  readonly bytes: number
  readonly packs: number
}

/** Notes the size of a managed repository as it is `now`. */
export async function measured(
  db: Db,
  { project_id, bytes, packs, now }: RepositorySize & { readonly project_id: string; readonly now: Date },
): Promise<void> {
  const size = { bytes, packs, updated_at: now }
  await db
    .insertInto('repositories')
    .values({ project_id, ...size })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(size))
    .execute()
}

/** Null before the repository was measured for the first time. */
export async function sizeOf(db: Db, project_id: string): Promise<RepositorySize | null> {
  const row = await db
    .selectFrom('repositories')
    .select(['bytes', 'packs'])
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row ?? null
}
