import { outagesOf } from '@svc/services'
import type { AppPlatform } from '@svc/app'
import {
  checkInstance,
  followPreviews,
  forgetReleases,
  publishRules,
  reconcileApps,
  type Running,
  runRelease,
  runRollout,
  stopInstance,
  sweepAppHistory,
  sweepApps,
  wakeRelease,
  type Working,
} from '@svc/apps/work'
import { every, jobMeter, type Platform, runJob, trackFailures } from '@svc/platform'
import type { JobRun } from '@svc/queue'
import type { Programs } from '@svc/sandbox'
import { untilAborted } from '@svc/timing'
import { buildSlots } from './build-slots.ts'
import { lookAfter } from './look-after.ts'

export interface RunningAppWorker {
  /** Waits for the work that runs, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

const sweepMs = 2_000
const previewsMs = 5_000
const historyMs = 600_000
const dayMs = 86_400_000

export interface AppWorkerOptions {
  /** Releases at a time. */
  readonly concurrency: number
  /** Days for which an object that no release names is kept, for the backups that do. */
  readonly backup_window_days: number
  /** The sandboxes of programs; absent where files alone are released. */
  readonly programs?: Programs | undefined
  readonly builds: number
  readonly start_seconds: number
  readonly rules: AppPlatform
}

/** Wakes and stops have places of their own in the queue: no visitor waits for a build. */
const besideReleases = 4

/** Makes releases of the apps of projects, runs those that run, and moves their addresses to them. Any number may run. */
export function startAppWorker(
  { ctx: base, locks, queue }: Pick<Platform, 'ctx' | 'locks' | 'queue'>,
  { concurrency, backup_window_days, programs, builds, start_seconds, rules }: AppWorkerOptions,
): RunningAppWorker {
  const stop = new AbortController()
  const takeBuild = buildSlots(builds)
  const runtime = programs && { programs, takeBuild, start_ms: start_seconds * 1000 }
  const ctx = { ...base, runtime }
  const working: Working = { ...ctx, locks, signal: stop.signal }
  const handle =
    <Ids extends Readonly<Record<string, string>>>(verb: (ctx: Working, ids: Ids) => Promise<void>) =>
    (ids: Ids, job: JobRun) =>
      runJob(base, job, ids, (parts) => verb({ ...ctx, ...parts, locks }, ids))
  const running =
    <Ids extends Readonly<Record<string, string>>>(verb: (ctx: Running, ids: Ids) => Promise<void>) =>
    async (asked: Working, ids: Ids) =>
      asked.runtime && verb({ ...asked, runtime: asked.runtime }, ids)
  const worker = queue.work(
    'app',
    {
      'apps.reconcile': handle(reconcileApps),
      'app.release': handle(runRelease),
      'app.rollout': handle(runRollout),
      'app.wake': handle(running(wakeRelease)),
      'app.check': handle(running(checkInstance)),
      'app.stop': handle(running(stopInstance)),
    },
    {
      concurrency: concurrency + (runtime ? besideReleases : 0),
      ...jobMeter(base.metrics, 'app'),
      ...trackFailures(base),
    },
  )
  const outages = outagesOf(base.log)
  const looking = runtime && lookAfter({ ...working, runtime }, outages)
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
    every({ ms: historyMs, work: () => publishRules(ctx, rules), outages, name: 'the rules for apps' }),
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
      await untilAborted(Promise.all([...loops.map((loop) => loop.stop()), looking?.stop()]), force)
      await worker.close(force)
    },
  }
}
