import type { BaseContext } from '@svc/context'
import { previews } from '@svc/db'

const batch = 1_000

/** Removes previews that are over, and tickets that were never used. */
export async function sweepPreviews(ctx: Pick<BaseContext, 'db' | 'now'>): Promise<number> {
  let removed = 0
  for (;;) {
    const now = await previews.removeExpired(ctx.db, ctx.now(), batch)
    removed += now
    if (now < batch) return removed
  }
}
