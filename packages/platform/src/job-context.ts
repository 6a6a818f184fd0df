import type { Logger } from '@svc/boot'
import type { BaseContext } from '@svc/context'
import { causedBy, type FailedJob, jobFacts, type JobRun } from '@svc/queue'

/** The part of a job's context that says what it is for: its lines, and the jobs that it asks for, name its cause. */
export function jobContext(ctx: Pick<BaseContext, 'log' | 'enqueue'>, job: JobRun, ids: object) {
  return {
    signal: job.signal,
    log: ctx.log.child({ ...jobFacts(job), ...ids }),
    enqueue: causedBy(ctx.enqueue, job.cause),
  }
}

export function logFailedJob(log: Logger, err: Error, job: FailedJob): void {
  const { queue, final } = job
  log.error({ err, queue, ...jobFacts(job), final }, 'A job failed')
}
