import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { jobOptions } from '../src/job-options.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { redisBackend } from '../src/redis-backend.ts'
import { startWorker } from '../src/worker.ts'
import { backends, type TestBackend } from './backends.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const patient = { timeout: 40_000, interval: 20 }
const ids = { attempt_id: '00000000-0000-4000-8000-000000000000' }

describe.each(backends)('%s that answers with refusals', (name, startServer) => {
  let server: TestBackend
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  test('is asked for jobs at a pace that it bears, and gives them out once it does', async () => {
    const seen = vi.fn(async () => undefined)
    const on_fault = vi.fn()
    const options = { url: server.url, prefix: 'refusing', on_fault: () => undefined }
    const backend = name === 'Redis' ? redisBackend(options) : await postgresBackend(options)
    const store = backend.openStore('merge')
    store.on('error', () => undefined)
    const add = () => store.add('change-request.merge', ids, jobOptions('change-request.merge', ids))
    await add()
    const worker = startWorker(
      backend,
      'merge',
      { 'change-request.merge': seen, 'manifest.edit': seen, 'repository.maintain': seen },
      { concurrency: 1, on_error: () => undefined },
      { lock_ms: 2_000, drain_ms: 1_000 },
      log,
      on_fault,
    )
    await vi.waitFor(() => expect(seen).toHaveBeenCalledTimes(1), patient)
    await server.refuse()
    await vi.waitFor(() => expect(on_fault).toHaveBeenCalled(), patient)
    await sleep(1_500)
    // Without a pause there are hundreds.
    expect(on_fault.mock.calls.length).toBeLessThan(12)
    await server.accept()
    await add()
    // A job that a refusal cut off is given out again: at least once.
    await vi.waitFor(() => expect(seen.mock.calls.length).toBeGreaterThanOrEqual(2), patient)
    await worker.close()
    await store.close()
    await backend.close()
  })
})
