import { randomUUID } from 'node:crypto'
import { createQueue } from '@svc/queue'
import { trackFailures } from '@svc/platform'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, ask, account_id, newProject } = await openWorld()
const queue = await createQueue(platform.database.connection_string, {
  log: platform.parts.log,
  prefix: `f${randomUUID()}`,
})
afterAll(() => queue.close())

interface Failure {
  readonly failure_id: string
  readonly attempts: number
  readonly resolved_at: string | null
}

const failures = async (query = ''): Promise<Failure[]> =>
  Object(await ask('GET', `/v1/admin/failures${query}`)).body.failures

test('a job that fails is kept without secrets, is asked for again, and is resolved by its next success', async () => {
  const project_id = await newProject()
  const session_id = (await ask('POST', `/v1/projects/${project_id}/sessions`, {})).pick('session_id')
  const state = { broken: true, done: 0 }
  const idle = async () => undefined
  const worker = queue.work(
    'session',
    {
      'sandbox.provision': async () => {
        if (state.broken)
          throw new Error('No engine at http://u:pw123@host; it last said:\nwhat the sandbox printed')
        state.done += 1
      },
      ...{
        'sandbox.stop': idle,
        'sandbox.destroy': idle,
        'sandbox.check': idle,
        'sandbox.hibernate': idle,
        'sandbox.evict': idle,
        'sandbox.release': idle,
      },
      ...{ 'sandbox.secrets': idle, 'prompts.deliver': idle, 'templates.build': idle, 'checks.run': idle },
      'harness.install': idle,
    },
    { concurrency: 1, ...trackFailures(platform.parts) },
  )
  await queue.enqueue('session', 'sandbox.provision', { session_id })
  await expect.poll(async () => (await failures())[0]?.attempts).toBeGreaterThan(1)
  const [failure] = await failures('?queue=session&job=sandbox.provision')
  const failure_id = failure?.failure_id ?? ''
  expect(await failures('?job=sandbox.stop')).toEqual([])
  expect(failure).toEqual({
    ...{ failure_id: expect.any(String), queue: 'session', job: 'sandbox.provision', ids: { session_id } },
    ...{ error: 'No engine at http://u:***@host', attempts: expect.any(Number), request_id: 'sweep' },
    ...{ failed_at: expect.any(String), resolved_at: null },
  })
  const owed = Object(await ask('GET', '/v1/admin/work?kind=provision')).body.work
  expect(owed).toMatchObject([{ session_id, last_error: 'No engine at http://u:***@host' }])
  expect(owed[0].attempts).toBeGreaterThan(1)

  platform.jobs.length = 0
  const retried = await ask('POST', `/v1/admin/failures/${failure_id}/retry`)
  expect(retried).toMatchObject({ status: 202, body: { failure_id } })
  expect(platform.jobs).toEqual([{ queue: 'session', name: 'sandbox.provision', payload: { session_id } }])
  const { body } = await ask('GET', `/v1/accounts/${account_id}/audit?action=retryFailure`)
  expect(Object(body).events).toMatchObject([{ details: { session_id, by_operator: true } }])
  expect((await ask('POST', `/v1/admin/failures/${randomUUID()}/retry`)).status).toBe(404)

  state.broken = false
  await queue.enqueue('session', 'sandbox.provision', { session_id })
  await expect.poll(() => state.done).toBe(1)
  // Successes are written together, the last ones when the worker closes.
  await worker.close()
  expect(await failures()).toMatchObject([{ failure_id, resolved_at: expect.any(String) }])
  expect(Object(await ask('GET', '/v1/admin/work?kind=provision')).body.work).toMatchObject([
    { attempts: 0, last_error: null },
  ])
})
