import type { ExpressionBuilder, Insertable, Updateable } from 'kysely'
import type { Database, Db } from '../database.ts'
import type { ConnectorKey } from './connectors.ts'
import type { ConnectionRow, ConnectionTable } from './connectors.table.ts'

/** The project's, and those of one person. */
const ofProjectOr = (user_id: string | null) => (eb: ExpressionBuilder<Database, 'connector_connections'>) =>
  eb.or([eb('user_id', 'is', null), ...(user_id === null ? [] : [eb('user_id', '=', user_id)])])

/** The project's connections of a connector, and those of one person; all connectors without a slug. */
export async function list(
  db: Db,
  { project_id, slug, user_id }: { project_id: string; slug?: string; user_id: string | null },
): Promise<ConnectionRow[]> {
  let query = db
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(ofProjectOr(user_id))
  if (slug !== undefined) query = query.where('slug', '=', slug)
  return query.orderBy('created_at').orderBy('connection_id').execute()
}

/** A connection as far as choosing one asks: nothing of what it is sealed with. */
export type ConnectionChoice = Pick<
  ConnectionRow,
  'connection_id' | 'project_id' | 'slug' | 'user_id' | 'status' | 'is_default'
>

/** The project's connections and those of one person, of all connectors. */
export async function listChoices(
  db: Db,
  { project_id, user_id }: { readonly project_id: string; readonly user_id: string | null },
): Promise<ConnectionChoice[]> {
  return db
    .selectFrom('connector_connections')
    .select(['connection_id', 'project_id', 'slug', 'user_id', 'status', 'is_default'])
    .where('project_id', '=', project_id)
    .where(ofProjectOr(user_id))
    .execute()
}

export async function find(
  db: Db,
  { project_id, connection_id }: { readonly project_id: string; readonly connection_id: string },
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('connection_id', '=', connection_id)
    .executeTakeFirst()
}

/** The same, locked: its credential is renewed by one alone. */
export async function lock(
  tx: Db,
  { project_id, connection_id }: { readonly project_id: string; readonly connection_id: string },
): Promise<ConnectionRow | undefined> {
  return tx
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('connection_id', '=', connection_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Those of these ids in a project, by id. */
export async function findMany(
  db: Db,
  project_id: string,
  connection_ids: readonly string[],
): Promise<Map<string, ConnectionRow>> {
  if (connection_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('connection_id', 'in', connection_ids)
    .execute()
  return new Map(rows.map((row) => [row.connection_id, row]))
}

/** Those of these ids that are active. */
export async function listActive(db: Db, connection_ids: readonly string[]): Promise<Set<string>> {
  if (connection_ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('connector_connections')
    .select('connection_id')
    .where('connection_id', 'in', connection_ids)
    .where('status', '=', 'active')
    .execute()
  return new Set(rows.map(({ connection_id }) => connection_id))
}

/** The one that is taken where nothing names another: of a person, or of the project. */
export async function findDefault(
  db: Db,
  { project_id, slug }: ConnectorKey,
  user_id: string | null,
): Promise<ConnectionRow | undefined> {
  const query = db
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('is_default', '=', true)
  return (
    user_id === null ? query.where('user_id', 'is', null) : query.where('user_id', '=', user_id)
  ).executeTakeFirst()
}

/** The active one of a connector that was made last, whosever it is. */
export async function findNewest(
  db: Db,
  { project_id, slug }: ConnectorKey,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connector_connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('status', '=', 'active')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function count(db: Db, { project_id, slug }: ConnectorKey): Promise<number> {
  const { n } = await db
    .selectFrom('connector_connections')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('status', '!=', 'revoked')
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function insert(tx: Db, row: Insertable<ConnectionTable>): Promise<ConnectionRow> {
  return tx.insertInto('connector_connections').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function update(
  tx: Db,
  connection_id: string,
  change: Updateable<ConnectionTable>,
): Promise<ConnectionRow | undefined> {
  return tx
    .updateTable('connector_connections')
    .set(change)
    .where('connection_id', '=', connection_id)
    .returningAll()
    .executeTakeFirst()
}

/** No other connection of the same kind stays the default. */
export async function clearDefault(
  tx: Db,
  { project_id, slug, user_id }: ConnectorKey & { readonly user_id: string | null },
): Promise<void> {
  const query = tx
    .updateTable('connector_connections')
    .set({ is_default: false })
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('is_default', '=', true)
  await (
    user_id === null ? query.where('user_id', 'is', null) : query.where('user_id', '=', user_id)
  ).execute()
}

/** Noted at most once a minute. */
export async function touch(db: Db, connection_id: string, now: Date): Promise<void> {
  await db
    .updateTable('connector_connections')
    .set({ last_used_at: now, last_error: null })
    .where('connection_id', '=', connection_id)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', new Date(now.getTime() - 60_000)),
        eb('last_error', 'is not', null),
      ]),
    )
    .execute()
}
