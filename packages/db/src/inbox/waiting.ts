import type { InboxKind } from '@svc/facts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'

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

export interface CountedKind {
  readonly kind: InboxKind
  readonly waiting: Waiting<unknown>
  /** False for what no person puts aside. */
  readonly may_be_marked: boolean
}

/** The number of each kind, in one statement, without what the person put aside; a kind of which there is none is left out. */
export async function count(
  db: Db,
  { user_id, now }: { readonly user_id: string; readonly now: Date },
  kinds: readonly CountedKind[],
): Promise<{ readonly kind: InboxKind; readonly count: number }[]> {
  const lines = kinds.map(
    ({ kind, waiting, may_be_marked }) =>
      sql`select ${sql.lit(kind)} as kind, ${may_be_marked ? sql`${sql.lit(`${kind}:`)} || w.id` : sql`null`} as item_id,
        ${may_be_marked ? sql`w.version` : sql`null`} as version from (${waiting.rows}) w`,
  )
  const { rows } = await sql<{ kind: InboxKind; count: number }>`${prepared}
    select line.kind, count(*)::int as count from (${sql.join(lines, sql` union all `)}) line
    where not exists (select from inbox_marks mark
      where mark.user_id = ${user_id} and mark.item_id = line.item_id and mark.version = line.version
        and (mark.until is null or mark.until > ${now}))
    group by line.kind`.execute(db)
  return rows
}
