import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

/** The number of items of a kind is bounded. */
export const maxItems = 1000

/** Rows of one kind that wait, to be read or counted. A mark of a person is on the `id` of one, at its `version`. */
export interface Waiting<Row> {
  readonly rows: RawBuilder<Row & { readonly id: string; readonly version: string }>
}

/** A point in time as versions have it: as JSON writes it. */
export const instant = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export async function read<Row>(
  db: Db,
  { rows }: Waiting<Row>,
): Promise<(Row & { readonly id: string; readonly version: string })[]> {
  return (await rows.execute(db)).rows
}
