import { randomUUID } from 'node:crypto'
import { createMetrics, startInternalServer } from '@svc/boot'
import { followDrain, registerProcess } from '@svc/platform'
import { createQueue } from '@svc/queue'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, ask } = await openWorld()
const { log } = platform.parts
const queue = await createQueue(platform.database.connection_string, { log, prefix: `d${randomUUID()}` })
afterAll(() => queue.close())
const internal = await startInternalServer({
  ...{ host: '127.0.0.1', port: 0, checks: {} },
  metrics: createMetrics('test'),
})
afterAll(() => internal.close())
const process_id = randomUUID()
const registration = await registerProcess(platform.parts.db, {
  ...{ process_id, service: 'merge-worker', commit: 'c', machine: 'm1', connections: 1, log, beat_ms: 100 },
})
afterAll(() => registration.close())
followDrain({ log, queue }, registration, internal)

const drain = (method: string, id = process_id) => ask(method, `/v1/admin/processes/${id}/drain`)
const readiness = async () => (await fetch(`http://127.0.0.1:${internal.port}/readyz`)).status

test('a process that drains finishes its job, takes no other and is not ready, until it is resumed', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const done: string[] = []
  let finish = () => {}
  const held = new Promise<void>((resolve) => (finish = resolve))
  const started: string[] = []
  const idle = async () => undefined
  queue.work(
    'merge',
    {
      'change-request.merge': async ({ attempt_id }) => {
        started.push(attempt_id)
        if (attempt_id === first) await held
        done.push(attempt_id)
      },
      ...{ 'manifest.edit': idle, 'repository.maintain': idle, 'checks.run': idle },
    },
    { concurrency: 2, on_error: (error) => expect.unreachable(error.message) },
  )
  await queue.enqueue('merge', 'change-request.merge', { attempt_id: first })
  await expect.poll(() => started).toEqual([first])
  expect(await readiness()).toBe(200)

  expect(await drain('POST')).toMatchObject({ status: 202, body: { process_id, state: 'draining' } })
  await expect.poll(readiness).toBe(503)
  await queue.enqueue('merge', 'change-request.merge', { attempt_id: second })
  finish()
  await expect.poll(() => done).toEqual([first])
  const jobs = async (state: string) =>
    (await queue.depth()).find((one) => one.queue === 'merge' && one.state === state)?.jobs
  await expect.poll(async () => [await jobs('active'), await jobs('waiting')]).toEqual([0, 1])
  expect(started).toEqual([first])

  expect(await drain('DELETE')).toMatchObject({
    status: 200,
    body: { state: 'running', drain_reason: null },
  })
  await expect.poll(() => done).toEqual([first, second])
  expect(await readiness()).toBe(200)
  const { events } = Object((await ask('GET', '/v1/admin/audit')).body)
  expect(events).toMatchObject([{ action: 'resumeProcess' }, { action: 'drainProcess', account_id: null }])
  expect((await drain('POST', randomUUID())).status).toBe(404)
})
