import type { BaseContext } from '@svc/context'
import { sandboxes } from '@svc/db'

const batch = 100

/** Asks for the removal of the files of sandboxes that were stopped before, where a checkpoint has them. */
export async function sweepStoppedSandboxes(
  ctx: Pick<BaseContext, 'db' | 'enqueue' | 'now'>,
  kept_ms: number,
): Promise<number> {
  if (kept_ms === 0) return 0
  const before = new Date(ctx.now().getTime() - kept_ms)
  const stopped = await sandboxes.listSaved(ctx.db, before, batch)
  for (const session_id of stopped) await ctx.enqueue('session', 'sandbox.release', { session_id })
  return stopped.length
}
