import { outagesOf } from '@svc/services'
import {
  followPreviews,
  forgetReleases,
  reconcileApps,
  runRelease,
  runRollout,
  sweepAppHistory,
  sweepApps,
} from '@svc/apps/work'
import type { JobContext } from '@svc/context'
import { every, jobMeter, type Platform, runJob, trackFailures } from '@svc/platform'
import type { JobRun } from '@svc/queue'
import { untilAborted } from '@svc/timing'

export interface RunningAppWorker {
  /** Waits for the work that runs, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

const sweepMs = 2_000
const previewsMs = 5_000
const historyMs = 600_000
const dayMs = 86_400_000

/** Makes releases of the apps of projects, and moves their addresses to them. Any number may run. */
export function startAppWorker(
  { ctx, locks, queue }: Pick<Platform, 'ctx' | 'locks' | 'queue'>,
  {
    concurrency,
    backup_window_days,
  }: {
    readonly concurrency: number
    /** Days for which an object that no release names is kept, for the backups that do. */
    readonly backup_window_days: number
  },
): RunningAppWorker {
  const handle =
    <Ids extends Readonly<Record<string, string>>>(verb: (ctx: JobContext, ids: Ids) => Promise<void>) =>
    (ids: Ids, job: JobRun) =>
      runJob(ctx, job, ids, (parts) => verb({ ...ctx, ...parts, locks }, ids))
  const worker = queue.work(
    'app',
    {
      'apps.reconcile': handle(reconcileApps),
      'app.release': handle(runRelease),
      'app.rollout': handle(runRollout),
    },
    { concurrency, ...jobMeter(ctx.metrics, 'app'), ...trackFailures(ctx) },
  )
  const stop = new AbortController()
  const working = { ...ctx, locks, signal: stop.signal }
  const outages = outagesOf(ctx.log)
  const loops = [
    every({ ms: sweepMs, work: () => sweepApps(ctx), outages, name: 'the sweep for apps' }),
    every({ ms: previewsMs, work: () => followPreviews(working), outages, name: 'the look at previews' }),
    every({ ms: historyMs, work: () => sweepAppHistory(ctx), outages, name: 'the sweep for visits of apps' }),
    every({
      ms: historyMs,
      work: () => forgetReleases(ctx, { window_ms: backup_window_days * dayMs }),
      outages,
      name: 'the sweep for old releases',
    }),
  ]
  // Told that a default branch may have moved: whether it did, and whether apps are switched on, the job finds out.
  const unsubscribe = ctx.listener.subscribe('triggers', (payload) => {
    if (payload === null) for (const { retry } of loops) retry()
    else void ctx.enqueue('app', 'apps.reconcile', payload)
  })
  return {
    close: async (force = new AbortController().signal) => {
      unsubscribe()
      stop.abort()
      await untilAborted(Promise.all(loops.map((loop) => loop.stop())), force)
      await worker.close(force)
    },
  }
}
