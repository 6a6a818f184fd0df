import { sessions, tokens } from '@svc/db'
import type { Context } from '../context.ts'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { changeStatus } from './change-status.ts'

/** The session is gone for everybody at once: row, turns and tokens together; its sandbox goes by a job. */
export async function removeSession(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue'>,
  key: sessions.SessionKey,
): Promise<void> {
  const { session_id } = key
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    await sessions.lock(tx, session_id)
    const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason: 'deleted' })
    if (stopped) await interruptTurns(ctx, tx, session_id, 'The session was deleted during this turn')
    await sessions.patch(tx, key, { deleted_at: now, updated_at: now })
    await tokens.revokeOfSession(tx, session_id, now)
  })
  await ctx.enqueue('session', 'sandbox.destroy', { session_id })
}
