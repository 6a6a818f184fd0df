import { expect, test } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const authorization_id = '77777777-7777-4777-8777-777777777777'
const connection_id = '88888888-8888-4888-8888-888888888888'
const tracker = `/v1/projects/${projectId}/connectors/tracker`
const { api, run } = await openWorld()

test('connects by a sign-in, and finishes when the browser came back', async () => {
  const begun = {
    ...{ authorization_id, connection_id, status: 'pending', error: null },
    ...{ issuer: 'https://id.example', authorization_url: 'https://id.example/authorize?x' },
    ...{ connect_url: 'https://svc.test/c', expires_at: '2999-01-01T00:00:00Z' },
  }
  const authorizations = `${tracker}/authorizations`
  api.routes[`GET ${tracker}`] = () => ok({ slug: 'tracker', auth_type: null, takes_sign_in: true })
  api.routes[`POST ${authorizations}`] = () => ({ status: 201, body: begun })
  api.routes[`GET ${authorizations}/${authorization_id}`] = () => ok({ ...begun, status: 'returned' })
  api.routes[`POST ${authorizations}/${authorization_id}/finish`] = () =>
    ok({ ...begun, status: 'connected' })
  const { code, stdout } = await run(['connectors', 'connect', 'tracker', '--personal'])
  expect([code, stdout]).toEqual([0, `https://id.example/authorize?x\nConnected tracker  ${connection_id}\n`])
  expect(api.calls.find(({ path }) => path === authorizations)?.body).toEqual({ scope: 'personal' })

  const two = await run(['connectors', 'authorize', 'tracker'])
  expect(two.stdout).toBe('https://id.example/authorize?x\n')
  expect(two.stderr).toContain(`svc connectors authorize tracker --status ${authorization_id}`)
  api.routes[`GET ${authorizations}/${authorization_id}`] = () =>
    ok({ ...begun, status: 'failed', error: 'They said no' })
  const failed = await run(['connectors', 'authorize', 'tracker', '--status', authorization_id])
  expect(failed.stdout).toBe('failed: They said no\n')
  const why = await run(['connectors', 'connect', 'tracker'])
  expect([why.code, why.stderr]).toEqual([
    1,
    expect.stringContaining('tracker was not connected: They said no'),
  ])
})

test('asks an aggregator, which knows without a browser that came back', async () => {
  const begun = {
    ...{ authorization_id, connection_id, status: 'pending', error: null, issuer: null },
    ...{ authorization_url: 'https://agg.example/connect', connect_url: 'https://svc.test/c' },
    expires_at: '2999-01-01T00:00:00Z',
  }
  const one = `${tracker}/authorizations/${authorization_id}`
  const status = ['connectors', 'authorize', 'tracker', '--status', authorization_id]
  api.routes[`GET ${one}`] = () => ok(begun)
  api.routes[`POST ${one}/finish`] = () => refusal(409, 'conflict', 'The account is not connected there yet')
  expect((await run(status)).stdout).toBe('pending\n')
  api.routes[`POST ${one}/finish`] = () => ok({ ...begun, status: 'connected' })
  expect((await run(status)).stdout).toBe('connected\n')
})
