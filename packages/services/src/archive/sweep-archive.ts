import { archiveObjects, eventPartitions, eventRemoval, eventSealing, withTriedLock } from '@svc/db'
import type { BaseContext, JobContext } from '@svc/context'
import { packMonth, type SealContext } from './seal-month.ts'
import { sealingLock } from './sealing-lock.ts'
import { verifyMonth } from './verify-month.ts'

export type ArchiveSweepContext = SealContext & Pick<BaseContext, 'metrics'> & Pick<JobContext, 'locks'>

/** In milliseconds; 0 for ever. */
export interface ArchiveAges {
  readonly hot_ms: number
  readonly archive_ms: number
  /** Time for which a backup may name what no row names any more. */
  readonly window_ms: number
}

const batch = 500
/** An object without a name may be one that is about to get it. */
const minWindowMs = 3_600_000

/**
 * Moves months of events that are over into the object store, and out of the database once backups have both. One process at a
 * time does it; what it leaves is gone on with by the next. Says how many months and pieces changed their place.
 */
export async function sweepEventArchive(
  ctx: ArchiveSweepContext,
  ages: ArchiveAges,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const done = await withTriedLock(ctx.locks, sealingLock, async () => {
    const sealed = await sealMonths(ctx, ages, signal)
    const dropped = await dropMonths(ctx, ages, signal)
    const removed = await removeOld(ctx, ages, signal)
    await removeObjects(ctx, ages, signal)
    return sealed + dropped + removed
  })
  ctx.metrics.set('svc_event_archive_bytes', { store: 'objects' }, await archiveObjects.eventBytes(ctx.db))
  return done ?? 0
}

const before = ({ now }: Pick<BaseContext, 'now'>, ms: number) => new Date(now().getTime() - ms)

async function sealMonths(
  ctx: ArchiveSweepContext,
  { hot_ms }: ArchiveAges,
  signal: AbortSignal,
): Promise<number> {
  if (hot_ms === 0) return 0
  for (let sealed = 0; ; sealed += 1) {
    if (signal.aborted) return sealed
    const month = await eventSealing.begin(ctx.db, { before: before(ctx, hot_ms), now: ctx.now() })
    if (month === undefined) return sealed
    try {
      await packMonth(ctx, month, signal)
      await verifyMonth(ctx, month, signal)
    } catch (error) {
      if (signal.aborted) return sealed
      throw error
    }
    // Else rows of it went meanwhile: the next run begins it anew.
    if ((await eventSealing.finish(ctx.db, month, ctx.now())) === undefined) return sealed
  }
}

async function dropMonths(
  ctx: ArchiveSweepContext,
  { window_ms }: ArchiveAges,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0
  for (const month of await eventSealing.listSealed(ctx.db, before(ctx, window_ms))) {
    if (signal.aborted) break
    if (await eventPartitions.drop(ctx.db, month, ctx.now())) dropped += 1
  }
  return dropped
}

async function removeOld(
  ctx: ArchiveSweepContext,
  { archive_ms }: ArchiveAges,
  signal: AbortSignal,
): Promise<number> {
  if (archive_ms === 0) return 0
  const query = { before: before(ctx, archive_ms), limit: batch, now: ctx.now() }
  for (let removed = 0; ;) {
    const some = signal.aborted ? 0 : await eventRemoval.removeOlder(ctx.db, query)
    removed += some
    if (some === 0) return removed
  }
}

async function removeObjects(
  ctx: ArchiveSweepContext,
  { window_ms }: ArchiveAges,
  signal: AbortSignal,
): Promise<void> {
  const remove = (object_key: string) => ctx.objects.delete(object_key)
  const since = before(ctx, Math.max(window_ms, minWindowMs))
  while (!signal.aborted && (await archiveObjects.removeOne(ctx.db, since, remove)));
}
