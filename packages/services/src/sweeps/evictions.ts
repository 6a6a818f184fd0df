import type { BaseContext } from '@svc/context'
import { evictions } from '@svc/db'

const batch = 100

/** Asks for the end of sandboxes that may not stay, some at a time. */
export async function sweepEvictions(ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now'>): Promise<number> {
  const due = await evictions.list(ctx.db, { now: ctx.now(), limit: batch })
  for (const session_id of due) await ctx.enqueue('session', 'sandbox.evict', { session_id })
  return due.length
}
