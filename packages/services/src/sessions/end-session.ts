import type { Context } from '@svc/context'
import { type Db, sessions } from '@svc/db'
import type { StopReason } from '@svc/session'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { changeStatus } from './change-status.ts'

/**
 * Stops a session whose end was decided; the sandbox-worker then ends its processes. False: it was not live, or
 * `only_if` no longer holds.
 */
export async function endSession(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue' | 'metrics'>,
  session_id: string,
  stop_reason: StopReason,
  only_if?: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const ended = await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, session_id)
    return (!only_if || (await only_if(tx))) && endInside(ctx, tx, session_id, stop_reason)
  })
  if (ended) await ctx.enqueue('session', 'sandbox.stop', { session_id })
  return ended
}

/** The rows of it; true when the caller owes the session a job once the transaction has ended. */
export async function endInside(
  ctx: Pick<Context, 'now' | 'metrics'>,
  tx: Db,
  session_id: string,
  stop_reason: StopReason,
): Promise<boolean> {
  await sessions.lock(tx, session_id)
  const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason })
  if (stopped) await interruptTurns(ctx, tx, session_id, 'The session was stopped during this turn')
  return stopped !== undefined
}
