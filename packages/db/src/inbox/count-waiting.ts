import type { InboxKind } from '@svc/facts'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { filledQuery } from '../kit/fixed-query.ts'
import { prepared } from '../kit/prepared.ts'
import type { Waiting } from './waiting.ts'

export interface CountedKind {
  readonly kind: InboxKind
  readonly waiting: Waiting<unknown>
  /** False for what no person puts aside. */
  readonly may_be_marked: boolean
}

/**
 * The number of each kind, in one statement, without what the person put aside. It is written once: each count gives the
 * values of the placeholders that `user_id`, `now` and the kinds were made with.
 */
export function countOf(
  kinds: readonly CountedKind[],
  { user_id, now }: { readonly user_id: string; readonly now: Date },
): (db: Db, values: ReadonlyMap<unknown, unknown>) => Promise<{ kind: InboxKind; count: number }[]> {
  const lines = kinds.map(({ kind, waiting, may_be_marked }) => {
    const aside = sql` where not exists (select from inbox_marks mark
      where mark.user_id = ${user_id} and mark.item_id = ${sql.lit(`${kind}:`)} || w.id and mark.version = w.version
        and (mark.until is null or mark.until > ${now}))`
    return sql`select ${sql.lit(kind)} as kind, count(*)::int as count from (${waiting.rows}) w${may_be_marked ? aside : sql``}`
  })
  return filledQuery((db) =>
    sql<{ kind: InboxKind; count: number }>`${prepared} ${sql.join(lines, sql` union all `)}`.compile(db),
  )
}
