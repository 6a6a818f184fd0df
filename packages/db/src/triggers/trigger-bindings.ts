import type { Db } from '../database.ts'
import type { TriggerKey } from './triggers.ts'

/** The connections that were chosen for the sessions of a trigger, by the slug of their connector. */
export async function find(db: Db, { project_id, slug }: TriggerKey): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('trigger_bindings')
    .select(['slug', 'connection_id'])
    .where('project_id', '=', project_id)
    .where('trigger_slug', '=', slug)
    .orderBy('slug')
    .execute()
  return new Map(rows.map((row) => [row.slug, row.connection_id]))
}

/** These, and no others. */
export async function replace(
  tx: Db,
  { project_id, slug: trigger_slug }: TriggerKey,
  chosen: ReadonlyMap<string, string>,
): Promise<void> {
  await tx
    .deleteFrom('trigger_bindings')
    .where('project_id', '=', project_id)
    .where('trigger_slug', '=', trigger_slug)
    .execute()
  if (chosen.size === 0) return
  const rows = [...chosen].map(([slug, connection_id]) => ({ project_id, trigger_slug, slug, connection_id }))
  await tx.insertInto('trigger_bindings').values(rows).execute()
}
