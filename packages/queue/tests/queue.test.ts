import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { causedBy, createQueue, type FailedJob, type JobQueue, type QueueOptions } from '../src/index.ts'
import { gate, idle, log, patient, sessionHandlers, unexpected } from './handlers.ts'
import { backends, type TestBackend } from './backends.ts'

describe.each(backends)('on %s', (_name, startBackend) => {
  let backend: TestBackend
  let queues: JobQueue[] = []
  let prefix: string

  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())
  beforeEach(() => {
    prefix = `p${randomUUID()}`
  })
  afterEach(async () => {
    for (const queue of queues) await queue.close()
    queues = []
  })

  async function open(options: Partial<QueueOptions> = {}): Promise<JobQueue> {
    const queue = await createQueue(backend.url, {
      log,
      prefix,
      timeout_ms: 10_000,
      lock_ms: 2_000,
      ...options,
    })
    queues.push(queue)
    return queue
  }

  test('a job reaches the handler of its name with its ids and its cause', async () => {
    const queue = await open()
    const attempt_id = randomUUID()
    const seen: unknown[] = []
    queue.work(
      'merge',
      {
        ...idle,
        'change-request.merge': async (payload, { name, attempt, cause }) =>
          void seen.push({ payload, name, attempt, cause }),
      },
      { concurrency: 1, on_error: unexpected },
    )
    const cause = { request_id: 'r1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    await causedBy(queue.enqueue, cause)('merge', 'change-request.merge', { attempt_id })
    const run = { payload: { attempt_id }, name: 'change-request.merge', attempt: 1 }
    await vi.waitFor(() => expect(seen).toEqual([{ ...run, cause }]), patient)
    await queue.enqueue('merge', 'change-request.merge', { attempt_id })
    await vi.waitFor(() => expect(seen[1]).toEqual({ ...run, cause: { request_id: 'sweep' } }), patient)
    await queue.ping()
  })

  test('what is no payload of that job is refused before it is stored', async () => {
    const queue = await open()
    await expect(queue.enqueue('merge', 'change-request.merge', { attempt_id: 'no uuid' })).rejects.toThrow()
  })

  test('says how many jobs wait and since when, and how each attempt ended', async () => {
    const queue = await open()
    await queue.enqueue('session', 'sandbox.stop', { session_id: randomUUID() })
    const [waiting] = (await queue.depth()).filter(({ jobs }) => jobs > 0)
    expect(waiting).toMatchObject({ queue: 'session', state: 'waiting', jobs: 1 })
    expect(Math.abs(Date.now() - (waiting?.oldest_at ?? 0))).toBeLessThan(60_000)
    const ends: unknown[] = []
    const options = { concurrency: 1, on_error: unexpected, on_end: (job: unknown) => void ends.push(job) }
    queue.work(
      'session',
      sessionHandlers(async () => undefined),
      options,
    )
    await vi.waitFor(() => expect(ends).toMatchObject([{ name: 'sandbox.stop', outcome: 'done' }]), patient)
  })

  test('waiting jobs for one row are one job', async () => {
    const queue = await open()
    const [one, other] = [randomUUID(), randomUUID()]
    for (let i = 0; i < 5; i++) await queue.enqueue('session', 'sandbox.stop', { session_id: one })
    await queue.enqueue('session', 'sandbox.check', { session_id: one })
    await queue.enqueue('session', 'sandbox.stop', { session_id: other })
    const seen: string[] = []
    const handlers = sessionHandlers(
      async ({ session_id }, { name }) => void seen.push(`${name} ${session_id}`),
    )
    queue.work('session', handlers, { concurrency: 1, on_error: unexpected })
    await vi.waitFor(() => expect(seen).toContain(`sandbox.stop ${other}`), patient)
    expect(seen).toEqual([`sandbox.stop ${one}`, `sandbox.check ${one}`, `sandbox.stop ${other}`])
  })

  test('a job that arrives while the same one runs is run after it, once', async () => {
    const queue = await open()
    const session_id = randomUUID()
    const started = gate()
    const hold = gate()
    let runs = 0
    const other: string[] = []
    const handlers = sessionHandlers(async (payload) => {
      if (payload.session_id !== session_id) return void other.push(payload.session_id)
      runs += 1
      started.open()
      if (runs === 1) await hold.opened
    })
    queue.work('session', handlers, { concurrency: 2, on_error: unexpected })
    await queue.enqueue('session', 'sandbox.check', { session_id })
    await started.opened
    for (let i = 0; i < 3; i++) await queue.enqueue('session', 'sandbox.check', { session_id })
    expect(runs).toBe(1)
    hold.open()
    await vi.waitFor(() => expect(runs).toBe(2), patient)
    const last = randomUUID()
    await queue.enqueue('session', 'sandbox.check', { session_id: last })
    await vi.waitFor(() => expect(other).toEqual([last]), patient)
    expect(runs).toBe(2)
  })

  test('no signal is lost: for every row a run begins after the last job for it was taken', async () => {
    const queue = await open()
    const rows = Array.from({ length: 30 }, () => ({
      session_id: randomUUID(),
      wanted: 0,
      seen: 0,
      running: 0,
    }))
    const byId = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.session_id, row]))
    let together = 0
    const handlers = sessionHandlers(async ({ session_id }) => {
      const row = byId.get(session_id)
      if (!row) return
      row.running += 1
      together = Math.max(together, row.running)
      const read = row.wanted
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
      row.seen = Math.max(row.seen, read)
      row.running -= 1
    })
    queue.work('session', handlers, { concurrency: 8, on_error: unexpected })
    const writers = Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 60; i++) {
        const row = rows[Math.floor(Math.random() * rows.length)]
        if (!row) continue
        row.wanted += 1
        await queue.enqueue('session', 'sandbox.check', { session_id: row.session_id })
      }
    })
    await Promise.all(writers)
    const settled = () => expect(rows.filter((row) => row.seen < row.wanted)).toEqual([])
    await vi.waitFor(settled, patient)
    expect(together).toBe(1)
  })

  test('a job for later neither runs now nor holds back one for now', async () => {
    const queue = await open()
    const [session_id, last] = [randomUUID(), randomUUID()]
    const seen: string[] = []
    await queue.enqueue('session', 'sandbox.check', { session_id }, { delay_ms: 600_000 })
    await queue.enqueue('session', 'sandbox.check', { session_id: last }, { delay_ms: 30.5 })
    await queue.enqueue('session', 'sandbox.check', { session_id })
    const handlers = sessionHandlers(async (payload) => void seen.push(payload.session_id))
    queue.work('session', handlers, { concurrency: 1, on_error: unexpected })
    await vi.waitFor(() => expect(seen).toContain(last), patient)
    await vi.waitFor(() => expect([...seen].sort()).toEqual([session_id, last].sort()), patient)
  })

  test('a handler that fails is tried again, and the last failure is told as final', async () => {
    const queue = await open()
    const session_id = randomUUID()
    const failures: FailedJob[] = []
    let healed = false
    const handlers = sessionHandlers(async () => {
      if (!healed) throw new Error('not yet')
    })
    queue.work('session', handlers, { concurrency: 1, on_error: (_error, job) => void failures.push(job) })
    await queue.enqueue('session', 'sandbox.stop', { session_id })
    for (let attempt = 1; attempt <= 5; attempt++) {
      await vi.waitFor(() => expect(failures.length).toBe(attempt), patient)
      expect(failures.at(-1)).toMatchObject({
        name: 'sandbox.stop',
        queue: 'session',
        attempt,
        final: attempt === 5,
      })
      // A new signal ends the wait for the next attempt.
      if (attempt < 5) await queue.enqueue('session', 'sandbox.stop', { session_id })
    }
    healed = true
    const done: string[] = []
    const second = await open()
    second.work(
      'merge',
      { ...idle, 'change-request.merge': async (payload) => void done.push(payload.attempt_id) },
      {
        concurrency: 1,
        on_error: unexpected,
      },
    )
    await second.enqueue('merge', 'change-request.merge', { attempt_id: session_id })
    await vi.waitFor(() => expect(done).toEqual([session_id]), patient)
  })

  test('closing waits for the job that runs', async () => {
    const queue = await open()
    const started = gate()
    const hold = gate()
    let finished = false
    const handlers = sessionHandlers(async () => {
      started.open()
      await hold.opened
      finished = true
    })
    const worker = queue.work('session', handlers, { concurrency: 1, on_error: unexpected })
    await queue.enqueue('session', 'sandbox.stop', { session_id: randomUUID() })
    await started.opened
    const closing = worker.close()
    hold.open()
    await closing
    expect(finished).toBe(true)
  })

  test('a job that does not end in time is asked to, and one that does not listen goes to another worker', async () => {
    const queue = await open({ drain_ms: 50 })
    const session_id = randomUUID()
    const started = gate()
    const aborted = gate()
    const never = gate()
    const deaf = sessionHandlers(async (_payload, { signal }) => {
      signal.addEventListener('abort', aborted.open)
      started.open()
      await never.opened
    })
    const worker = queue.work('session', deaf, { concurrency: 1, on_error: () => undefined })
    await queue.enqueue('session', 'sandbox.provision', { session_id })
    await started.opened
    await worker.close()
    await aborted.opened
    await queue.close()
    const heir = await open()
    const seen: string[] = []
    const handlers = sessionHandlers(async (payload) => void seen.push(payload.session_id))
    heir.work('session', handlers, { concurrency: 1, on_error: unexpected })
    await vi.waitFor(() => expect(seen).toEqual([session_id]), patient)
    never.open()
  })

  test('a queue that is closed takes no more workers', async () => {
    const queue = await open()
    await queue.close()
    const work = () =>
      queue.work(
        'session',
        sessionHandlers(async () => undefined),
        { concurrency: 1, on_error: unexpected },
      )
    expect(work).toThrow('closed')
  })

  test('platforms with different prefixes do not see each other', async () => {
    const [mine, theirs] = [await open(), await open({ prefix: `q${randomUUID()}` })]
    const seen: string[] = []
    const [first, second] = [randomUUID(), randomUUID()]
    mine.work(
      'merge',
      { ...idle, 'change-request.merge': async (payload) => void seen.push(payload.attempt_id) },
      {
        concurrency: 1,
        on_error: unexpected,
      },
    )
    await theirs.enqueue('merge', 'change-request.merge', { attempt_id: first })
    await mine.enqueue('merge', 'change-request.merge', { attempt_id: second })
    await vi.waitFor(() => expect(seen).toContain(second), patient)
    expect(seen).toEqual([second])
  })

  test('jobs run again after the server was killed and came back', async () => {
    const queue = await open()
    const seen: string[] = []
    const handlers = sessionHandlers(async (payload) => void seen.push(payload.session_id))
    queue.work('session', handlers, { concurrency: 2, on_error: () => undefined })
    const before = randomUUID()
    await queue.enqueue('session', 'sandbox.stop', { session_id: before })
    await vi.waitFor(() => expect(seen).toContain(before), patient)
    for (let round = 0; round < 2; round++) {
      await backend.restart()
      const after = randomUUID()
      // As a sweep does: until it is taken.
      await vi.waitFor(() => queue.enqueue('session', 'sandbox.stop', { session_id: after }), patient)
      await vi.waitFor(() => expect(seen).toContain(after), patient)
    }
  })
})
