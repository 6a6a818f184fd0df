import type { BaseContext } from '@svc/context'
import { sandboxes } from '@svc/db'
import { idleQuery } from '../sandboxes/idle-query.ts'

const batch = 100

/**
 * Asks for the end of idle sandboxes, some at a time. A lease, which a busy agent renews, protects its sandbox;
 * whether one really runs is for its provider to say.
 */
export async function sweepIdleSandboxes(
  ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now' | 'settings'>,
): Promise<number> {
  const idle = await sandboxes.listIdle(ctx.db, idleQuery(ctx), batch)
  for (const session_id of idle) await ctx.enqueue('session', 'sandbox.hibernate', { session_id })
  return idle.length
}
