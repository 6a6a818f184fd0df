import { type Db, jsonb, sessionEvents, sessions, type SessionRow } from '@svc/db'
import type { SessionEvent, SessionFailure, StopReason } from '@svc/session'
import { sessionStatusAfter } from '@svc/session'
import type { BaseContext } from '../context.ts'

export interface StatusChange {
  readonly stop_reason?: StopReason
  readonly failure?: SessionFailure
}

/**
 * The one way a session's status moves: a guarded UPDATE and an entry in its event log, together. Undefined when the
 * status no longer accepts the event: somebody else was first.
 */
export async function changeStatus(
  ctx: Pick<BaseContext, 'now'>,
  db: Db,
  session_id: string,
  event: SessionEvent,
  change: StatusChange = {},
): Promise<SessionRow | undefined> {
  if (!db.isTransaction)
    return db.transaction().execute((tx) => changeStatus(ctx, tx, session_id, event, change))
  const now = ctx.now()
  const row = await sessions.apply(db, session_id, event, { ...columns(event, change, now), updated_at: now })
  if (!row) return undefined
  const payload = { status: row.status, stop_reason: row.stop_reason, failure: row.failure }
  await sessionEvents.append(db, session_id, [{ type: 'status', at: now, payload }], row)
  return row
}

function columns(event: SessionEvent, { stop_reason, failure }: StatusChange, now: Date) {
  const failed = failure === undefined ? null : jsonb(failure)
  switch (event) {
    case 'ready':
      return {
        status: sessionStatusAfter('provisioning', event),
        started_at: now,
        stopped_at: null,
        stop_reason: null,
        failure: null,
      }
    case 'stop':
    case 'exit':
      return {
        status: sessionStatusAfter('running', event),
        stopped_at: now,
        stop_reason: stop_reason ?? null,
        failure: failed,
      }
    case 'fail':
      return {
        status: sessionStatusAfter('provisioning', event),
        stopped_at: now,
        stop_reason: null,
        failure: failed,
      }
    case 'start':
    case 'restart':
      return {
        status: sessionStatusAfter('stopped', event),
        provisioning_at: now,
        stopped_at: null,
        stop_reason: null,
        failure: null,
      }
  }
}
