import type { Context } from '@svc/context'
import type { Db, sessions } from '@svc/db'
import type { StopReason } from '@svc/session'
import { drainSandbox } from '../sandboxes/drain.ts'
import { endInside } from './end-session.ts'

/**
 * Lets a sandbox save its work and end its turn, for a bounded time, and then ends its session; `record` writes down that
 * it ended. The sandbox-worker ends the processes. False: it was not live.
 */
export async function endDrained(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue' | 'vault' | 'log' | 'metrics'>,
  session: sessions.SessionView,
  end: { readonly stop_reason: StopReason; readonly record: (tx: Db) => Promise<void> },
): Promise<boolean> {
  const { session_id } = session
  await drainSandbox(ctx, session, 'The session was stopped during this turn')
  const ended = await ctx.db.transaction().execute(async (tx) => {
    const stopped = await endInside(ctx, tx, session_id, end.stop_reason)
    if (stopped) await end.record(tx)
    return stopped
  })
  if (ended) await ctx.enqueue('session', 'sandbox.stop', { session_id })
  return ended
}
