import { Queue } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import type { Backend } from './backend.ts'
import { PausingWorker } from './pausing-worker.ts'

export interface RedisBackendOptions {
  readonly url: string
  readonly prefix: string
  readonly on_fault: (error: unknown, message: string) => void
}

/**
 * Two kinds of connection: one for requests, whose commands fail soon when Redis is away, and one for workers,
 * which waits for it as long as it takes. Neither needs Redis to be there at the start.
 */
export function redisBackend({ url, prefix, on_fault }: RedisBackendOptions): Backend {
  const connect = (options: RedisOptions, message: string): Redis => {
    const redis = new Redis(url, {
      connectTimeout: 2_000,
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      ...options,
    })
    redis.on('error', (error) => on_fault(error, message))
    return redis
  }
  const producing = connect({ maxRetriesPerRequest: 1 }, 'The queue has no connection to Redis')
  let working: Redis | undefined
  const forWorkers = () =>
    (working ??= connect({ maxRetriesPerRequest: null }, 'The worker has no connection to Redis'))

  return {
    openStore: (queue) => new Queue(queue, { connection: producing, prefix }),
    openRunner: (queue, processor, options) =>
      new PausingWorker(queue, processor, { ...options, connection: forWorkers(), prefix }),
    isReady: () => producing.status === 'ready',
    async ping() {
      await producing.ping()
    },
    async close() {
      producing.disconnect()
      working?.disconnect()
    },
  }
}
