import { gatewaySettings } from '@svc/db'
import { openTestStore } from '@svc/objects/testing'
import { readObject } from '@svc/objects'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { providerScene } from './support/provider-scene.ts'

const scene = providerScene()
const { ask, atStub, ours, provider, sealer } = scene
let objects: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  objects = await openTestStore()
})
afterEach(() => scene.platform.base.db.deleteFrom('gateway_call_bodies').execute())
afterAll(() => objects.remove())

async function keepBodies(): Promise<void> {
  await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
  await gatewaySettings.update(scene.platform.base.db, ours(), { log_bodies: true, body_days: 3 })
}

const kept = () => scene.platform.base.db.selectFrom('gateway_call_bodies').selectAll().execute()

/** The bodies of the one call, once they are there. */
async function bodiesOf(call_id: string): Promise<unknown> {
  const { project_id } = scene.project
  return vi.waitFor(async () => {
    const object = await readObject(objects.store, `bodies/${project_id}/${call_id}`)
    if (object === null) throw new Error('Nothing is kept yet')
    expect(object.toString()).not.toContain('scene:text')
    return JSON.parse(sealer.open(['body', project_id, call_id], object.toString()))
  })
}

test.each([true, false])(
  'request and answer are kept sealed, until their date (a stream: %s)',
  async (stream) => {
    await keepBodies()
    const response = await ask({ model: 'acme/m1', stream }, { objects: objects.store })
    const answer = await response.text()
    const call_id = response.headers.get('x-svc-call-id') ?? ''
    const bodies = Object(await bodiesOf(call_id))
    expect(JSON.parse(bodies.request)).toMatchObject({
      model: 'acme/m1',
      messages: [{ content: 'scene:text' }],
    })
    expect(bodies.truncated).toBe(false)
    if (stream) expect(bodies.answer).toContain('[DONE]')
    else expect(bodies.answer).toBe(answer)
    const [row] = await kept()
    const days = ((row?.kept_until.getTime() ?? 0) - Date.now()) / 86_400_000
    expect([row?.call_id, Math.round(days)]).toEqual([call_id, 3])
  },
)

test('of a long request a megabyte is kept, and the rest is said to be missing', async () => {
  await keepBodies()
  const messages = [{ role: 'user', content: `scene:text ${'x'.repeat(2_000_000)}` }]
  const response = await ask({ model: 'acme/m1', messages }, { objects: objects.store })
  await response.text()
  const bodies = Object(await bodiesOf(response.headers.get('x-svc-call-id') ?? ''))
  expect([bodies.request.length, bodies.truncated]).toEqual([1_048_576, true])
})

test('a call that fails keeps what was asked', async () => {
  await keepBodies()
  scene.stub.answers((res) => void res.writeHead(400).end('{"error":{"message":"no"}}'))
  const response = await ask({ model: 'acme/m1' }, { objects: objects.store })
  expect(response.status).toBe(400)
  const [row] = await vi.waitFor(async () => {
    const rows = await kept()
    expect(rows).toHaveLength(1)
    return rows
  })
  expect(await bodiesOf(row?.call_id ?? '')).toMatchObject({ answer: '' })
})

test('nothing is kept where no place says so, and no call fails where nothing can be kept', async () => {
  await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
  expect((await ask({ model: 'acme/m1' }, { objects: objects.store })).status).toBe(200)
  await gatewaySettings.update(scene.platform.base.db, ours(), { log_bodies: true })
  expect((await ask({ model: 'acme/m1' })).status).toBe(200)
  expect(await kept()).toEqual([])
})
