import { fakeComputer } from '@svc/upstream/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declareConnector, type TestExecutor, testExecutor } from '../support/connectors.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type ServedApi, serve } from '../support/serve.ts'

let platform: TestPlatform
let served: ServedApi
let executor: TestExecutor
let path = ''
const open = () => serve({ parts: { ...platform.parts, ...executor } })
const tool = { action: 'files.read', risk: 'read', title: null, description: '', input_schema: {} } as const

beforeAll(async () => {
  platform = await testPlatform()
  executor = testExecutor(platform.parts)
  served = await open()
  const { owner, call } = platform
  const made = await call('/v1/projects/provision', {
    ...{ method: 'POST', token: owner.token, json: { name: 'Paired' } },
  })
  const project_id = made.pick('project_id')
  await declareConnector(platform, project_id, '  - { slug: computer, provider: computer }\n')
  const connections = `/v1/projects/${project_id}/connectors/computer/connections`
  const connected = await call(connections, {
    ...{ method: 'POST', token: owner.token, json: { credential: {}, label: 'Laptop' } },
  })
  expect(connected.status).toBe(201)
  path = `${connections}/${connected.pick('connection_id')}/computer`
})
afterAll(async () => {
  await served?.close()
  await executor?.close()
  await platform?.close()
})

const socketAt = (at: string) => `${served.origin.replace('http', 'ws')}${at}`
const online = async () => {
  const [, connections = ''] = /^(.*)\/[^/]+\/computer$/.exec(path) ?? []
  const { body } = await platform.call(connections, { token: platform.owner.token })
  return Object(body).connections[0].online
}

test('the computer of a person is served over a WebSocket, and the log and the audit say so', async () => {
  const computer = fakeComputer([tool])
  const { closed } = await computer.dial(socketAt(path), platform.owner.token)
  await expect.poll(online).toBe(true)
  await expect.poll(() => platform.lines.filter((line) => line.includes('"status":101'))).toHaveLength(1)
  const events = async () =>
    (await platform.parts.db.selectFrom('audit_events').select('action').execute()).map(
      ({ action }) => action,
    )
  await expect.poll(events).toContain('serveComputer')
  // An API that ends lets go of it.
  await served.close()
  expect(await closed).toBe(1006)
  await expect.poll(online).toBe(false)
  served = await open()
})

test('any other is refused, and a plain request says why', async () => {
  const stranger = await platform.stranger()
  const elsewhere = path.replace(/connections\/[^/]+/, `connections/${crypto.randomUUID()}`)
  const cases = [
    [path, 'none', 401],
    [path, stranger.token, 404],
    [elsewhere, platform.owner.token, 404],
  ] as const
  for (const [at, token, status] of cases) {
    await expect(fakeComputer([]).dial(socketAt(at), token)).rejects.toThrow(String(status))
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(served.origin + at, { headers })).status).toBe(status)
  }
  const headers = { authorization: `Bearer ${platform.owner.token}` }
  const plain = await fetch(served.origin + path, { headers })
  expect(plain.status).toBe(400)
  expect(await plain.text()).toContain('svc connectors serve computer')
  expect(await online()).toBe(false)
})
