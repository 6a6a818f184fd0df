import type { JobContext } from '@svc/context'
import { jobMeter, type Platform, runJob, trackFailures } from '@svc/platform'
import type { JobRun } from '@svc/queue'
import { identityPlaces } from '@svc/identity/sealed-places'
import { runCheckPart } from '@svc/operator'
import { maintainRepository, runManifestEdit, runMergeAttempt, servicePlaces } from '@svc/services'

const places = [...servicePlaces, ...identityPlaces]

export interface MergeWorker {
  close(force?: AbortSignal): Promise<void>
}

/** Drains the merge queue. */
export function startMergeWorker(platform: Platform, options: { concurrency: number }): MergeWorker {
  const { ctx, locks, queue } = platform
  const handle =
    <Ids extends Readonly<Record<string, string>>>(verb: (ctx: JobContext, ids: Ids) => Promise<void>) =>
    (ids: Ids, job: JobRun) =>
      runJob(ctx, job, ids, (parts) => verb({ ...ctx, ...parts, locks }, ids))
  return queue.work(
    'merge',
    {
      'change-request.merge': handle(runMergeAttempt),
      'manifest.edit': handle(runManifestEdit),
      'repository.maintain': handle(maintainRepository),
      'checks.run': handle((parts, { run_id }: { run_id: string }) =>
        runCheckPart({ ...parts, places }, { run_id, queue: 'merge' }),
      ),
    },
    {
      concurrency: options.concurrency,
      ...jobMeter(ctx.metrics, 'merge'),
      ...trackFailures(ctx),
    },
  )
}
