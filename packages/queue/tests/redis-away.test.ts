import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQueue, type JobQueue } from '../src/index.ts'
import { hasRedis, redisServer, type RedisServer } from './redis-server.ts'

if (!hasRedis) console.warn('Skipped: redis-server is not installed')

const idle = {
  'manifest.edit': async () => undefined,
  'repository.maintain': async () => undefined,
  'checks.run': async () => undefined,
}

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const refusal = { name: 'ServiceError', code: 'temporarily_unavailable' }
const patient = { timeout: 40_000, interval: 20 }

describe.runIf(hasRedis)('without Redis', () => {
  let server: RedisServer
  let queue: JobQueue
  const seen: string[] = []
  const work = () =>
    queue.work(
      'merge',
      { ...idle, 'change-request.merge': async (payload) => void seen.push(payload.attempt_id) },
      {
        concurrency: 1,
        on_error: () => undefined,
      },
    )
  const enqueue = (attempt_id: string) => queue.enqueue('merge', 'change-request.merge', { attempt_id })

  beforeEach(async () => {
    server = await redisServer()
    queue = await createQueue(server.url, { log, timeout_ms: 500 })
  })
  afterEach(async () => {
    await queue.close()
    await server.close()
  })

  test('a process starts, refuses jobs in bounded time, and works once Redis is there', async () => {
    work()
    await expect(enqueue(randomUUID())).rejects.toMatchObject(refusal)
    await expect(enqueue(randomUUID())).rejects.toMatchObject(refusal)
    await expect(queue.ping()).rejects.toThrow()
    await server.start()
    const id = randomUUID()
    await vi.waitFor(() => enqueue(id), patient)
    await vi.waitFor(() => expect(seen).toContain(id), patient)
    await queue.ping()
  })

  test('a Redis that goes away refuses jobs and one that was flushed takes new ones', async () => {
    await server.start()
    await vi.waitFor(() => enqueue(randomUUID()), patient)
    await server.flush()
    work()
    const second = randomUUID()
    await enqueue(second)
    await vi.waitFor(() => expect(seen).toContain(second), patient)
    await server.kill()
    await expect(enqueue(randomUUID())).rejects.toMatchObject(refusal)
  })
})
