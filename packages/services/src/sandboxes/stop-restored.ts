import type { BaseContext } from '@svc/context'
import { sessions } from '@svc/db'
import { changeStatus } from '../sessions/change-status.ts'
import { interruptTurns } from './interrupt-turns.ts'

/** After a restore: the sandboxes of the rows are of a deployment that is gone. Returns the number of sessions that stopped. */
export async function stopRestoredSessions(
  ctx: Pick<BaseContext, 'db' | 'now' | 'metrics'>,
): Promise<number> {
  let count = 0
  for (const session_id of await sessions.listLive(ctx.db))
    await ctx.db.transaction().execute(async (tx) => {
      const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason: 'platform_shutdown' })
      if (stopped === undefined) return
      await interruptTurns(
        ctx,
        tx,
        session_id,
        'The platform was restored from a backup after this turn began',
      )
      count += 1
    })
  return count
}
