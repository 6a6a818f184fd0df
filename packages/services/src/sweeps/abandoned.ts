import type { BaseContext } from '@svc/context'
import { sessions, sessionWork } from '@svc/db'
import { sessionLimits } from '@svc/session'
import { changeStatus } from '../sessions/change-status.ts'

const batch = 100

/** No session stays on its way up for ever: one that no worker takes up, or that no worker survives, fails in the end. */
export async function sweepAbandoned(
  ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now' | 'metrics'>,
): Promise<number> {
  const since = new Date(ctx.now().getTime() - sessionLimits.provisioningMs)
  const query = { since, silence_ms: sessionLimits.workerSilenceMs, limit: batch }
  const abandoned = await sessionWork.listAbandoned(ctx.db, query)
  let failed = 0
  for (const session_id of abandoned) {
    const message = 'No sandbox was made in time: no worker took the session up, or none survived it'
    const failure = { category: 'timeout', message, retryable: true } as const
    const changed = await ctx.db.transaction().execute(async (tx) => {
      // Read again: it may have come up, or been started anew, since the list was read.
      const session = await sessions.lock(tx, session_id)
      if (session?.status !== 'provisioning' || session.provisioning_at >= since) return undefined
      return changeStatus(ctx, tx, session_id, 'fail', { failure })
    })
    if (!changed) continue
    failed += 1
    await ctx.enqueue('session', 'sandbox.stop', { session_id })
  }
  return failed
}
