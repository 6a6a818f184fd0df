import { runCheckPart } from '@svc/operator'
import { jobMeter, type Platform, runJob, showMachine, trackFailures } from '@svc/platform'
import type { JobRun } from '@svc/queue'
import { heldHarnesses, type SandboxProvider } from '@svc/sandbox'
import {
  buildTemplates,
  ensureHarness,
  HarnessInstallError,
  type HarnessInstaller,
  installOwed,
  runSandboxJob,
  type SandboxContext,
  type SandboxJob,
  stopAllSandboxes,
  sweepHarnesses,
  sweepRunning,
  type WarmPool,
} from '@svc/services'
import { sessionModels } from '@svc/spend'
import { untilAborted } from '@svc/timing'
import { keepSweeping } from './keep-sweeping.ts'
import { startWarmPool } from './warm-pool.ts'

export interface SandboxWorker {
  /**
   * `stop_sandboxes` ends every live session too, for a platform that takes its sandboxes with it. From `force` on they
   * are only ended, and so are they without a database: the next start puts their rows right.
   */
  close(options: { stop_sandboxes: boolean; force?: AbortSignal }): Promise<void>
}

/** Drains the session queue; the only part that drives a sandbox provider. */
export function startSandboxWorker(
  platform: Platform,
  provider: SandboxProvider,
  options: { concurrency: number; warm_pool?: WarmPool; harnesses?: HarnessInstaller; door?: boolean },
): SandboxWorker {
  const { locks, machine, queue } = platform
  const ctx = { ...platform.ctx, session_models: sessionModels(platform.ctx) }
  const { warm_pool, door = false } = options
  const context = (signal: AbortSignal): SandboxContext => ({
    ...ctx,
    locks,
    provider,
    machine,
    door,
    signal,
    harnesses: options.harnesses,
    ...(warm_pool === undefined ? {} : { warm_pool }),
  })
  const warm = warm_pool === undefined ? null : startWarmPool(context, warm_pool)
  const handle = (name: SandboxJob, then?: () => void) => (ids: { session_id: string }, job: JobRun) =>
    runJob(ctx, job, ids, async (parts) => {
      await runSandboxJob({ ...context(job.signal), ...parts }, name, ids)
      then?.()
    })

  const seen = showMachine(platform, { provider: provider.name, harnesses: heldHarnesses(provider), door })
  const worker = queue.work(
    'session',
    {
      'sandbox.provision': handle('sandbox.provision', () => warm?.taken()),
      'sandbox.stop': handle('sandbox.stop'),
      'sandbox.destroy': handle('sandbox.destroy'),
      'sandbox.check': handle('sandbox.check'),
      'sandbox.hibernate': handle('sandbox.hibernate'),
      'sandbox.evict': handle('sandbox.evict'),
      'sandbox.release': handle('sandbox.release'),
      'sandbox.secrets': handle('sandbox.secrets'),
      'prompts.deliver': handle('prompts.deliver'),
      'checks.run': (ids, job) =>
        runJob(ctx, job, ids, (parts) =>
          runCheckPart({ ...context(job.signal), ...parts, places: [] }, { ...ids, queue: 'session' }),
        ),
      'harness.install': (ids, job) =>
        runJob(ctx, job, ids, async (parts) => {
          const { harnesses } = options
          const [harness = '', version = ''] = ids.harness_id.split('@')
          if (harnesses === undefined) return
          await ensureHarness({ ...context(job.signal), ...parts, harnesses }, { harness, version }).catch(
            unlessFinal,
          )
        }),
      'templates.build': (ids, job) =>
        runJob(ctx, job, ids, (parts) => buildTemplates({ ...context(job.signal), ...parts }, ids)),
    },
    {
      concurrency: options.concurrency,
      ...jobMeter(ctx.metrics, 'session'),
      ...trackFailures(ctx),
    },
  )
  // Only a worker can ask the provider of the sandboxes that should run; a look that has begun goes on to its end.
  const stopLooking = keepSweeping(() => sweepRunning(context(new AbortController().signal)), {
    pause_ms: 5_000,
    on_failure: (err) => ctx.log.warn({ err }, 'The sandboxes that should run were not looked at'),
  })
  const { harnesses } = options
  const stopKeeping =
    harnesses &&
    keepSweeping((signal) => sweepHarnesses({ ...context(signal), harnesses }), {
      pause_ms: 5 * 60_000,
      on_failure: (err) => ctx.log.warn({ err }, 'The store of harnesses was not swept'),
    })
  // A close cuts an install off.
  const stopInstalling =
    harnesses &&
    keepSweeping((signal) => installOwed({ ...context(signal), harnesses }), {
      pause_ms: 10_000,
      on_failure: (err) => ctx.log.warn({ err }, 'The harnesses that are owed were not installed'),
    })
  return {
    close: async ({ stop_sandboxes, force = new AbortController().signal }) => {
      const tidy = (work: Promise<unknown>, left: string) =>
        untilAborted(
          work.catch((err: unknown) => ctx.log.warn({ err }, left)),
          force,
        )
      seen.close()
      await tidy(stopLooking(), 'The last look at the sandboxes is left')
      if (stopInstalling) await tidy(stopInstalling(), 'The install that is owed is left')
      if (stopKeeping) await tidy(stopKeeping(), 'The last sweep of the harnesses is left')
      await worker.close(force)
      if (warm) await tidy(warm.close({ remove: stop_sandboxes }), 'The rows of warm sandboxes are left')
      if (stop_sandboxes)
        await tidy(stopAllSandboxes(context(new AbortController().signal)), 'The rows of sandboxes are left')
      await provider.close({ stop_sandboxes, force })
    },
  }
}

/** Its row says why: another try would end the same, and would be wanted anew. */
function unlessFinal(error: unknown): void {
  if (!(error instanceof HarnessInstallError && error.is_final)) throw error
}
