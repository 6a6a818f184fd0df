import { settled, within } from '@svc/timing'
import type { Backend } from './backend.ts'
import type { QueueName } from './jobs.ts'
import { type QueueLog, quieted } from './log.ts'
import { defaultPrefix, postgresBackend, type PostgresBackendOptions } from './postgres-backend.ts'
import { createProducer, type Enqueue, type QueueDepth } from './producer.ts'
import { redisBackend } from './redis-backend.ts'
import { type Handlers, startWorker, type WorkOptions } from './worker.ts'

export interface QueueOptions {
  readonly log: QueueLog
  /** Keeps several platforms on one Redis or database apart. */
  readonly prefix?: string
  /** Name of the process in the lists of PostgreSQL, where jobs travel through it. */
  readonly application_name?: string | undefined
  /** Time that a request waits for a job to be stored. */
  readonly timeout_ms?: number
  readonly lock_ms?: number
  readonly drain_ms?: number
}

export interface Worker {
  /** Takes no more jobs until `resume`, and finishes those that run. */
  pause(): Promise<void>
  resume(): void
  /** Takes no more jobs, waits for those that run up to the drain time or until `force`, then leaves them. */
  close(force?: AbortSignal): Promise<void>
}

export interface JobQueue {
  readonly enqueue: Enqueue
  work<Q extends QueueName>(queue: Q, handlers: Handlers<Q>, options: WorkOptions): Worker
  /** The number of jobs in each queue, and since when. */
  depth(): Promise<QueueDepth[]>
  /** The workers of this process take no more jobs until `resume`, and finish those that run. */
  pause(): Promise<void>
  resume(): void
  /** Throws when the backend does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `redis://` and `rediss://` name a Redis, `postgres://` and `postgresql://` the database itself. */
export async function createQueue(backend_url: string, options: QueueOptions): Promise<JobQueue> {
  const { log, prefix = defaultPrefix, timeout_ms = 2_000, lock_ms = 15_000, drain_ms = 15_000 } = options
  const on_fault = quieted(log)
  const backend = await openBackend(backend_url, {
    prefix,
    application_name: options.application_name,
    on_fault,
  })
  const producer = createProducer(backend, timeout_ms, on_fault)
  const workers: Worker[] = []
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await producer.close()
    await settled(2_000, backend.close())
  }
  return {
    enqueue: producer.enqueue,
    pause: async () => void (await Promise.all(workers.map((worker) => worker.pause()))),
    resume: () => workers.forEach((worker) => worker.resume()),
    work(queue, handlers, work_options) {
      if (closing) throw new Error('The queue is closed: it takes no more workers')
      const worker = startWorker(backend, queue, handlers, work_options, { lock_ms, drain_ms }, log, on_fault)
      workers.push(worker)
      return worker
    },
    depth: () => within(timeout_ms, producer.depth(), () => new Error('The queue does not answer')),
    ping: () => within(timeout_ms, backend.ping(), () => new Error('The queue does not answer')),
    close: () => (closing ??= close()),
  }
}

async function openBackend(url: string, options: Omit<PostgresBackendOptions, 'url'>): Promise<Backend> {
  const { prefix, on_fault } = options
  if (!/^[a-z][a-z0-9-]*$/.test(prefix)) throw new Error(`The queue prefix "${prefix}" is not a simple name`)
  if (/^rediss?:/.test(url)) return redisBackend({ url, prefix, on_fault })
  if (/^postgres(ql)?:/.test(url)) return postgresBackend({ url, ...options })
  throw new Error('The queue needs a redis://, rediss:// or postgres:// address')
}
