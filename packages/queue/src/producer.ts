import { ServiceError } from '@svc/errors'
import { within } from '@svc/timing'
import { type Backend, type JobState, type JobStore, jobStates } from './backend.ts'
import type { Cause } from './cause.ts'
import { jobOptions } from './job-options.ts'
import { type JobName, type JobPayload, parseJob, type QueueName, queueNames } from './jobs.ts'

export interface EnqueueOptions {
  readonly delay_ms?: number
  /** The request that asked for it; a sweep when absent. */
  readonly cause?: Cause
}

export interface Enqueue {
  <Q extends QueueName, N extends JobName<Q>>(
    queue: Q,
    name: N,
    payload: JobPayload<Q, N>,
    options?: EnqueueOptions,
  ): Promise<void>
}

/** The jobs of one queue in one state. */
export interface QueueDepth {
  readonly queue: QueueName
  readonly state: JobState
  readonly jobs: number
  /** Milliseconds since the epoch at which the oldest of them was stored; null for none. */
  readonly oldest_at: number | null
}

export interface Producer {
  readonly enqueue: Enqueue
  depth(): Promise<QueueDepth[]>
  close(): Promise<void>
}

/** Waits for the store no longer than `timeout_ms`, and not at all once it is known to be away. */
export function createProducer(
  backend: Backend,
  timeout_ms: number,
  on_fault: (error: unknown, message: string) => void,
): Producer {
  const stores = new Map<QueueName, Promise<JobStore>>()
  let away = false

  const open = async (queue: QueueName): Promise<JobStore> => {
    const store = backend.openStore(queue)
    store.on('error', (error) => on_fault(error, 'The queue reports an error'))
    try {
      await store.waitUntilReady()
      return store
    } catch (error) {
      // BullMQ remembers a failed start for ever: the next job begins with a new one.
      stores.delete(queue)
      store.close().catch(() => undefined)
      throw error
    }
  }
  const storeOf = (queue: QueueName): Promise<JobStore> => {
    const store = stores.get(queue) ?? open(queue)
    stores.set(queue, store)
    return store
  }

  return {
    async enqueue(queue, name, payload, options = {}) {
      const ids = parseJob(queue, name, payload)
      if (away && !backend.isReady()) throw unavailable()
      const added = storeOf(queue).then((store) => store.add(name, ids, jobOptions(name, ids, options)))
      try {
        await within(
          timeout_ms,
          added,
          () => new Error(`The queue did not take the job within ${timeout_ms} ms`),
        )
        away = false
      } catch (error) {
        away = true
        on_fault(error, 'A job could not be stored')
        throw unavailable(error)
      }
    },
    async depth() {
      const depths = queueNames.map(async (queue) => depthOf(queue, await storeOf(queue)))
      return (await Promise.all(depths)).flat()
    },
    async close() {
      const open = [...stores.values()]
      stores.clear()
      await Promise.all(
        open.map(async (store) =>
          within(1_000, closeStore(store), () => new Error('late')).catch(() => undefined),
        ),
      )
    },
  }
}

async function depthOf(queue: QueueName, store: JobStore): Promise<QueueDepth[]> {
  const counts = await store.getJobCounts(...jobStates)
  return Promise.all(
    jobStates.map(async (state) => {
      const jobs = counts[state] ?? 0
      const [oldest] = jobs === 0 ? [] : await store.getJobs(state, 0, 0, true)
      return { queue, state, jobs, oldest_at: oldest?.timestamp ?? null }
    }),
  )
}

async function closeStore(store: Promise<JobStore>): Promise<void> {
  await (await store).close()
}

function unavailable(cause?: unknown): ServiceError {
  return new ServiceError(
    'temporarily_unavailable',
    'The queue is not reachable; try again in a moment.',
    { retry_after: 5 },
    { cause },
  )
}
