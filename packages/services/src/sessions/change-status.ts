import type { BaseContext } from '@svc/context'
import { type Db, type SessionChanges, sessions, type SessionRow } from '@svc/db'
import type { SessionTransition } from '@svc/session'
import { logEvents } from './log/log-events.ts'

/**
 * The one way a session's status moves: a guarded UPDATE and an entry in its event log, together. Undefined when the
 * status no longer accepts the event: another caller was first.
 */
export async function changeStatus<Event extends SessionTransition>(
  ctx: Pick<BaseContext, 'now' | 'metrics'>,
  db: Db,
  session_id: string,
  event: Event,
  change: SessionChanges[Event],
): Promise<SessionRow | undefined> {
  if (!db.isTransaction)
    return db.transaction().execute((tx) => changeStatus(ctx, tx, session_id, event, change))
  const now = ctx.now()
  const row = await sessions.apply(db, session_id, event, change, now)
  if (!row) return undefined
  if (event === 'fail')
    ctx.metrics.count('svc_session_failures_total', { category: row.failure?.category ?? 'none' })
  const payload = { status: row.status, stop_reason: row.stop_reason, failure: row.failure }
  await logEvents(ctx, db, session_id, [{ type: 'status', at: now, payload }], row)
  return row
}
