import type { Logger } from '@svc/boot'
import type { BaseContext } from '@svc/context'
import { causedBy, type FailedJob, jobFacts, type JobRun } from '@svc/queue'

type Ids = { readonly [id: string]: string }

/** The part of a job's context that says what it is for: its lines, and the jobs that it asks for, name its cause. */
export interface JobParts extends Pick<BaseContext, 'log' | 'enqueue' | 'traceparent'> {
  readonly signal: AbortSignal
}

/** Runs a verb for a job, as a part of the trace behind it; a later attempt follows that trace, which is over. */
export async function runJob(
  ctx: Pick<BaseContext, 'log' | 'enqueue' | 'tracing'>,
  job: JobRun,
  ids: Ids,
  verb: (parts: JobParts) => Promise<unknown>,
): Promise<void> {
  const { traceparent } = job.cause
  const origin = job.attempt === 1 ? { parent: traceparent } : { link: traceparent }
  const named = Object.fromEntries(Object.entries(ids).map(([name, id]) => [`svc.${name}`, id]))
  const attributes = { 'svc.job': job.name, 'svc.attempt': job.attempt, ...named }
  const span = ctx.tracing?.begin({ name: `job ${job.name}`, kind: 'consumer', ...origin, attributes })
  const facts = { ...jobFacts(job), ...(span && { trace_id: span.trace_id }), ...ids }
  let failed = true
  try {
    await verb({
      signal: job.signal,
      traceparent: span?.traceparent,
      log: ctx.log.child(facts),
      enqueue: causedBy(ctx.enqueue, { ...job.cause, ...(span && { traceparent: span.traceparent }) }),
    })
    failed = false
  } finally {
    span?.end({ failed })
  }
}

export function logFailedJob(log: Logger, err: Error, job: FailedJob): void {
  const { queue, final } = job
  log.error({ err, queue, ...jobFacts(job), final }, 'A job failed')
}
