import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { ConnectorKey } from './connectors.ts'
import type { ConnectorActionRow, ConnectorActionTable } from './connectors.table.ts'

/** The actions of some connectors of a project, in the order in which their services name them. */
export async function list(
  db: Db,
  project_id: string,
  slugs: readonly string[],
): Promise<ConnectorActionRow[]> {
  if (slugs.length === 0) return []
  return db
    .selectFrom('connector_actions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', 'in', slugs)
    .orderBy('slug')
    .orderBy('position')
    .execute()
}

export async function find(
  db: Db,
  { project_id, slug }: ConnectorKey,
  action: string,
): Promise<ConnectorActionRow | undefined> {
  return db
    .selectFrom('connector_actions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('action', '=', action)
    .executeTakeFirst()
}

/** The number of actions that each connector of a project has, without those that are gone. */
export async function count(db: Db, project_id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('connector_actions')
    .select(['slug', (eb) => eb.fn.countAll<number>().as('n')])
    .where('project_id', '=', project_id)
    .where('state', '!=', 'gone')
    .groupBy('slug')
    .execute()
  return new Map(rows.map(({ slug, n }) => [slug, Number(n)]))
}

const rowsAtOnce = 500

/** Takes the place of all that were known of one connector. */
export async function replaceAll(
  tx: Db,
  { project_id, slug }: ConnectorKey,
  rows: readonly Insertable<ConnectorActionTable>[],
): Promise<void> {
  await tx
    .deleteFrom('connector_actions')
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .execute()
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await tx
      .insertInto('connector_actions')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
  }
}

/** A person looked at what these say now. */
export async function accept(
  tx: Db,
  { project_id, slug }: ConnectorKey,
  actions: readonly string[],
): Promise<void> {
  if (actions.length === 0) return
  await tx
    .updateTable('connector_actions')
    .set((eb) => ({ accepted_digest: eb.ref('digest'), state: 'active' }))
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('action', 'in', actions)
    .where('state', '=', 'changed')
    .execute()
}
