import type { BaseContext } from '@svc/context'
import { type Db, sessionEvents, sessionPrompts } from '@svc/db'
import { logEvents } from '../sessions/log/log-events.ts'

/** Turns that ran when their sandbox ended, and asks that waited, will never end by themselves; say so now. */
export async function interruptTurns(
  ctx: Pick<BaseContext, 'now' | 'metrics'>,
  tx: Db,
  session_id: string,
  error: string,
): Promise<void> {
  const at = ctx.now()
  await sessionPrompts.applyToAll(tx, session_id, 'interrupt', at, error)
  // The log is asked, since a prompt that went to the daemon directly has no row.
  const open = await sessionEvents.listOpen(tx, session_id)
  const ends = open.map(({ type, payload: { prompt_id, request_id } }) =>
    type === 'turn'
      ? { type, at, payload: { prompt_id, state: 'end', status: 'interrupted', error } }
      : // As its daemon would tell it, should it come to that.
        {
          type,
          at,
          payload: { request_id, state: 'expired' },
          event_id: `${type}:${String(request_id)}:expired`,
        },
  )
  await logEvents(ctx, tx, session_id, ends)
}
