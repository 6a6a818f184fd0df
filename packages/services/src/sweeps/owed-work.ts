import { type Db, merges, sandboxes, sessions } from '@svc/db'
import type { BaseContext } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'

/** Work that has had this long and is still owed gets a job again: its first one was lost, or failed. */
const quietMs = 10_000
const batch = 500

/** Jobs may be lost; rows are not. Enqueues every piece of work that a row owes. */
export async function sweepOwedWork(ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now'>): Promise<number> {
  const quiet_since = new Date(ctx.now().getTime() - quietMs)
  const [owed, attempts] = await Promise.all([
    sessions.listOwed(ctx.db, quiet_since, batch),
    merges.listOwedAttempts(ctx.db, quiet_since, batch),
  ])
  for (const { job, session_id } of owed) await ctx.enqueue('session', job, { session_id })
  for (const attempt_id of attempts) await ctx.enqueue('merge', 'change-request.merge', { attempt_id })
  return owed.length + attempts.length
}

/** Stops sandboxes that nobody uses. A lease, which a busy agent renews, protects its sandbox. */
export async function sweepIdleSandboxes(
  ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now' | 'settings'>,
): Promise<number> {
  const now = ctx.now()
  const query = { now, idle_since: new Date(now.getTime() - ctx.settings.idle_after_seconds * 1000) }
  let ended = 0
  for (const session_id of await sandboxes.listIdle(ctx.db, query)) {
    // Asked again under the lock: somebody may have begun to use it since the list was read.
    const still = (tx: Db) => sandboxes.isIdle(tx, session_id, query)
    if (await endSession(ctx, session_id, 'idle', still)) ended += 1
  }
  return ended
}
