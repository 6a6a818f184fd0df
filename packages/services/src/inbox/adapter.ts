import type { Context } from '@svc/context'
import { inboxItems } from '@svc/db'
import type { InboxEntry } from './entry.ts'
import type { InboxReach, InboxScope } from './scope.ts'

/** Things of one kind that wait, read of the rows that it speaks of: the inbox has none of its own. */
export interface InboxAdapter {
  /** The rows, to be counted. */
  waiting(scope: InboxReach, now: Date): inboxItems.Waiting<unknown>
  read(ctx: Pick<Context, 'db' | 'now'>, scope: InboxScope): Promise<InboxEntry[]>
}

interface Kind<Row> {
  rows(scope: InboxReach, now: Date): inboxItems.Waiting<Row>
  /** A row as people read it. */
  entry(row: Row, now: Date): Omit<InboxEntry, 'id' | 'version'>
}

export const adapterOf = <Row>({ rows, entry }: Kind<Row>): InboxAdapter => ({
  waiting: rows,
  async read(ctx, scope) {
    const now = ctx.now()
    const found = await inboxItems.read(ctx.db, rows(scope, now))
    return found.map((row) => ({ ...entry(row, now), id: row.id, version: row.version }))
  },
})
