import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { jobOptions } from '../src/job-options.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { redisBackend } from '../src/redis-backend.ts'
import { startWorker } from '../src/worker.ts'
import { backends, type TestBackend } from './backends.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const patient = { timeout: 40_000, interval: 20 }
const [first, second] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const

describe.each(backends)('%s that answers with refusals', (name, startServer) => {
  let server: TestBackend
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  test('is asked for jobs at a pace that it bears, and gives them out once it does', async () => {
    const seen: string[] = []
    const none = async () => undefined
    const on_fault = vi.fn()
    const options = { url: server.url, prefix: 'refusing', on_fault: () => undefined }
    const backend = name === 'Redis' ? redisBackend(options) : postgresBackend(options)
    const store = backend.openStore('merge')
    store.on('error', () => undefined)
    const add = (attempt_id: string) =>
      store.add('change-request.merge', { attempt_id }, jobOptions('change-request.merge', { attempt_id }))
    await add(first)
    const worker = startWorker(
      backend,
      'merge',
      {
        'change-request.merge': async ({ attempt_id }) => void seen.push(attempt_id),
        'manifest.edit': none,
        'repository.maintain': none,
        'checks.run': none,
      },
      { concurrency: 1, on_error: () => undefined },
      { lock_ms: 2_000, drain_ms: 1_000 },
      log,
      on_fault,
    )
    await vi.waitFor(() => expect(seen).toEqual([first]), patient)
    await server.refuse()
    await vi.waitFor(() => expect(on_fault).toHaveBeenCalled(), patient)
    await sleep(1_500)
    // Without a pause there are hundreds.
    expect(on_fault.mock.calls.length).toBeLessThan(12)
    await server.accept()
    await add(second)
    // The first may be given out once more where the refusal met its end.
    await vi.waitFor(() => expect(seen.filter((id) => id === second)).toEqual([second]), patient)
    await worker.close()
    await store.close()
    await backend.close()
  })
})
