import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A column that holds data keys as a master key sealed them: `k1.<key id>.…`. */
export interface SealedKeyColumn {
  readonly table: string
  readonly column: string
  /** Column that tells the rows apart; in a table of one row any column does. */
  readonly id_column: string
}

export interface SealedKeyRow {
  readonly id: string
  readonly sealed: string
}

const keyIdOf = ({ column }: SealedKeyColumn) => sql<string>`split_part(${sql.ref(column)}, '.', 2)`

/** Those of the columns that this database has: one of an earlier release lacks what came later. */
export async function existing<Place extends Pick<SealedKeyColumn, 'table' | 'column'>>(
  db: Db,
  places: readonly Place[],
): Promise<Place[]> {
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const found = new Set(rows.map(({ place }) => place))
  return places.filter(({ table, column }) => found.has(`${table}.${column}`))
}

/** The number of rows that each master key sealed. */
export async function countByKey(
  db: Db,
  place: SealedKeyColumn,
): Promise<{ readonly key_id: string; readonly rows: number }[]> {
  const { rows } = await sql<{ key_id: string; rows: number }>`
    select ${keyIdOf(place)} as key_id, count(*)::int as rows from ${sql.table(place.table)}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Rows after `after` that another key than `key_id` sealed, in the order of their ids. */
export async function listDue(
  db: Db,
  place: SealedKeyColumn,
  { key_id, after, limit }: { readonly key_id: string; readonly after: string; readonly limit: number },
): Promise<SealedKeyRow[]> {
  const id = sql`${sql.ref(place.id_column)}::text`
  const { rows } = await sql<SealedKeyRow>`
    select ${id} as id, ${sql.ref(place.column)} as sealed from ${sql.table(place.table)}
    where ${keyIdOf(place)} <> ${key_id} and ${id} collate "C" > ${after}
    order by ${id} collate "C" limit ${limit}`.execute(db)
  return rows
}

/** Every row after `after`, in the order of their ids. */
export async function listAll(
  db: Db,
  place: SealedKeyColumn,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<SealedKeyRow[]> {
  const id = sql`${sql.ref(place.id_column)}::text`
  const { rows } = await sql<SealedKeyRow>`
    select ${id} as id, ${sql.ref(place.column)} as sealed from ${sql.table(place.table)}
    where ${id} collate "C" > ${after} and ${sql.ref(place.column)} is not null
    order by ${id} collate "C" limit ${limit}`.execute(db)
  return rows
}

/** Replaces the value that was read by `sealed`; false when another process wrote there meanwhile. */
export async function replace(
  db: Db,
  place: SealedKeyColumn,
  { id, sealed: read }: SealedKeyRow,
  sealed: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${sealed}
    where ${sql.ref(place.id_column)}::text = ${id} and ${sql.ref(place.column)} = ${read}`.execute(db)
  return numAffectedRows === 1n
}
