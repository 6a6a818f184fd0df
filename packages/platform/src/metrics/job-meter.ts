import type { Meter } from '@svc/boot'
import type { JobQueue, QueueName, WorkOptions } from '@svc/queue'

/** The part of a worker's options that measures its jobs. */
export function jobMeter(metrics: Meter, queue: QueueName): Pick<WorkOptions, 'on_end' | 'on_stalled'> {
  return {
    on_end: ({ name: job, outcome, seconds }) =>
      metrics.observe('svc_job_duration_seconds', { queue, job, outcome }, seconds),
    on_stalled: () => metrics.count('svc_claims_taken_over_total', { work: queue }),
  }
}

/** Says in the metrics how many jobs wait, and since when. */
export async function measureQueue(queue: Pick<JobQueue, 'depth'>, metrics: Meter, now: Date): Promise<void> {
  for (const { queue: name, state, jobs, oldest_at } of await queue.depth()) {
    const labels = { queue: name, state }
    const age = oldest_at === null ? 0 : Math.max(0, now.getTime() - oldest_at)
    metrics.set('svc_queue_jobs', labels, jobs)
    metrics.set('svc_queue_oldest_seconds', labels, age / 1000)
  }
}
