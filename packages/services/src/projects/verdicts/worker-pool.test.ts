import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { type PoolOptions, TooLongError, WorkerPool } from './worker-pool.ts'

/** Answers what it is asked; some words do to the thread what hostile text might. */
const code = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', (asked) => {
    if (asked === 'hang') for (;;);
    if (asked === 'die') process.exit(1)
    if (asked === 'throw') throw new Error('broken')
    if (asked === 'grow') for (const all = []; ; ) all.push(new Array(100000).fill('x' + all.length))
    parentPort.postMessage(asked + ' in ' + threadId)
  })
`
const pools: WorkerPool<string, string>[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

function poolOf(options: Partial<PoolOptions> = {}) {
  let started = 0
  const start = () => {
    started += 1
    return new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })
  }
  const defaults = { threads: 1, max_waiting: 8, time_limit_ms: 60_000, idle_ms: 60_000, start }
  const pool = new WorkerPool<string, string>({ ...defaults, ...options })
  pools.push(pool)
  return { pool, started: () => started }
}

test('each question has its own answer, from no more threads than there may be', async () => {
  const { pool, started } = poolOf({ threads: 2 })
  const asked = ['a', 'b', 'c', 'd', 'e', 'f']
  const answers = await Promise.all(asked.map((one) => pool.ask(one)))
  expect(answers.map((answer) => answer.split(' ')[0])).toEqual(asked)
  expect(started()).toBe(2)
})

test.each(['die', 'throw', 'grow'])('a thread that ends by `%s` fails its question alone', async (word) => {
  const { pool } = poolOf()
  const [lost, next] = await Promise.allSettled([pool.ask(word), pool.ask('next')])
  expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'temporarily_unavailable' } })
  expect(next).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^next/) })
})

test('what takes too long is ended and says so, and the next one is answered', async () => {
  const { pool } = poolOf({ time_limit_ms: 1_000 })
  const hung = pool.ask('hang')
  await expect(hung).rejects.toBeInstanceOf(TooLongError)
  await expect(hung).rejects.toThrow('The manifest takes too long to check')
  // Asked until a thread begins within the limit: a busy machine starts one slowly.
  await expect.poll(() => pool.ask('next').catch(() => 'late')).toMatch(/^next/)
})

test('more than may wait are refused at once, with a time to come back', async () => {
  const { pool } = poolOf({ max_waiting: 2 })
  const kept = ['a', 'b', 'c'].map((one) => pool.ask(one))
  await expect(pool.ask('d')).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    details: { retry_after: 1 },
  })
  expect(await Promise.all(kept)).toHaveLength(3)
})

test('closed, it refuses what waits and ends its threads; who asks afterwards has a new one', async () => {
  const { pool, started } = poolOf()
  await pool.ask('a')
  const waiting = Promise.allSettled([pool.ask('hang'), pool.ask('b')])
  await pool.close()
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await pool.ask('c')).toMatch(/^c/)
  expect(started()).toBe(2)
})

test('a thread that is asked nothing for a while ends', async () => {
  const { pool, started } = poolOf({ idle_ms: 0 })
  await pool.ask('a')
  await expect.poll(async () => (await pool.ask('b'), started())).toBeGreaterThan(1)
})
