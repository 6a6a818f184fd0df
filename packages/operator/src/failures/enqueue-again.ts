import { ServiceError } from '@svc/errors'
import { type JobName, type JobPayload, parseJob, type QueueName, queues } from '@svc/queue'
import type { Changing } from '../context.ts'

interface Kept {
  readonly queue: string
  readonly job: string
  readonly ids: Readonly<Record<string, string>>
}

/** Stores the job of a failure once more; one that this release does not know any more is refused. */
export async function enqueueAgain(ctx: Pick<Changing, 'enqueue'>, { queue, job, ids }: Kept): Promise<void> {
  const name = (Object.keys(queues) as QueueName[]).find((one) => one === queue)
  if (name === undefined || !Object.hasOwn(queues[name], job))
    throw new ServiceError('conflict', `This release has no job ${job}; nothing can be retried.`)
  // Named boundary: the names are those of the list, and the payload is parsed by the schema of the same name.
  const payload = parseJob(name, job, ids) as JobPayload<QueueName, JobName<QueueName>>
  await ctx.enqueue(name, job as JobName<QueueName>, payload)
}
