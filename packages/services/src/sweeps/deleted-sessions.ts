import type { BaseContext } from '@svc/context'
import { deletedSessions } from '@svc/db'

/** The most rows that one transaction removes. */
const batch = 500

/**
 * Removes the rows of sessions that were deleted before: events first, then prompts, then the sessions. Each step is a
 * transaction of its own and begins with what is still there, so a run that was cut off is gone on with by the next.
 */
export async function removeDeletedSessions(
  ctx: Pick<BaseContext, 'db'>,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  for (;;) {
    const session_ids = await deletedSessions.list(ctx.db, { before, limit: batch })
    if (session_ids.length === 0 || signal.aborted) return removed
    const gone = await removeAll(ctx, session_ids, signal)
    removed += gone
    // Another runner holds the rest, or the process ends: the next run finds them.
    if (gone === 0 || session_ids.length < batch) return removed
  }
}

async function removeAll(
  { db }: Pick<BaseContext, 'db'>,
  session_ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  for (const removeSome of [deletedSessions.removeEvents, deletedSessions.removePrompts]) {
    while ((await removeSome(db, session_ids, batch)) === batch) if (signal.aborted) return 0
  }
  return signal.aborted ? 0 : deletedSessions.remove(db, session_ids)
}
