import type { Context } from '@svc/context'
import { changeRequests, type Db, sessionBranches, sessions, tokens } from '@svc/db'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { changeStatus } from './change-status.ts'

/** Removes the session for every caller at once: row, turns and tokens together; its sandbox goes by a job. */
export async function removeSession(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue' | 'metrics'>,
  key: sessions.SessionKey,
): Promise<void> {
  const { session_id } = key
  await ctx.db.transaction().execute((tx) => removeInside(ctx, tx, key))
  await ctx.enqueue('session', 'sandbox.destroy', { session_id })
}

/** The rows of it; the caller owes the job once the transaction has ended. */
export async function removeInside(
  ctx: Pick<Context, 'now' | 'metrics'>,
  tx: Db,
  key: sessions.SessionKey,
): Promise<null> {
  const { session_id } = key
  const now = ctx.now()
  await sessions.lock(tx, session_id)
  const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason: 'deleted' })
  if (stopped) await interruptTurns(ctx, tx, session_id, 'The session was deleted during this turn')
  await sessions.patch(tx, key, { deleted_at: now, updated_at: now })
  await tokens.revokeOfSession(tx, session_id, now)
  await changeRequests.unlinkSession(tx, session_id)
  await sessionBranches.add(tx, { session_id, now })
  return null
}
