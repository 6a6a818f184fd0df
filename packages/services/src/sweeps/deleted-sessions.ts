import type { JobContext } from '@svc/context'
import { deletedSessions, eventRemoval, withTriedLock } from '@svc/db'
import { sealingLock } from '../archive/sealing-lock.ts'

/** The most rows that one transaction removes. */
const batch = 500

type RemovalContext = Pick<JobContext, 'db' | 'locks' | 'now'>

/**
 * Removes the rows of sessions that were deleted before: events first, then prompts, then the sessions. Each step is a
 * transaction of its own and begins with what is still there, so a run that was cut off is gone on with by the next. While a
 * month of events is packed nothing is removed.
 */
export async function removeDeletedSessions(
  ctx: RemovalContext,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  return (await withTriedLock(ctx.locks, sealingLock, () => removeSome(ctx, before, signal))) ?? 0
}

async function removeSome(ctx: RemovalContext, before: Date, signal: AbortSignal): Promise<number> {
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
  { db, now }: RemovalContext,
  session_ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const steps = [
    () => deletedSessions.removeEvents(db, session_ids, batch),
    () => eventRemoval.removeOfSessions(db, session_ids, { limit: batch, now: now() }),
    () => deletedSessions.removePrompts(db, session_ids, batch),
  ]
  for (const step of steps) {
    while ((await step()) === batch) if (signal.aborted) return 0
  }
  return signal.aborted ? 0 : deletedSessions.remove(db, session_ids)
}
