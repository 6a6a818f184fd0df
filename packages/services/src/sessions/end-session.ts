import { type Db, sessions } from '@svc/db'
import type { StopReason } from '@svc/session'
import type { Context } from '../context.ts'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { changeStatus } from './change-status.ts'

/**
 * Stops a session whose end somebody decided; the sandbox-worker then ends its processes. False: it was not live, or
 * `only_if` no longer holds.
 */
export async function endSession(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue'>,
  session_id: string,
  stop_reason: StopReason,
  only_if?: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const row = await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, session_id)
    if (only_if && !(await only_if(tx))) return undefined
    const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason })
    if (stopped) await interruptTurns(ctx, tx, session_id, 'The session was stopped during this turn')
    return stopped
  })
  if (row) await ctx.enqueue('session', 'sandbox.stop', { session_id })
  return row !== undefined
}
