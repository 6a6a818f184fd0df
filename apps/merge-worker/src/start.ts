import type { Platform } from '@svc/services'
import { runManifestEdit, runMergeAttempt } from '@svc/services'

export interface MergeWorker {
  close(): Promise<void>
}

/** Drains the merge queue. */
export function startMergeWorker(platform: Platform, options: { concurrency: number }): MergeWorker {
  const { ctx, locks, queue } = platform
  return queue.work(
    'merge',
    {
      'change-request.merge': (ids, job) =>
        runMergeAttempt(
          { ...ctx, locks, signal: job.signal, log: ctx.log.child({ job_id: job.job_id, ...ids }) },
          ids,
        ),
      'manifest.edit': (ids, job) =>
        runManifestEdit(
          { ...ctx, locks, signal: job.signal, log: ctx.log.child({ job_id: job.job_id, ...ids }) },
          ids,
        ),
    },
    {
      concurrency: options.concurrency,
      on_error: (error, job) => ctx.log.error({ err: error, ...job }, 'A merge job failed'),
    },
  )
}
