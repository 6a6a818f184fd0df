import { randomUUID } from 'node:crypto'
import { gatewayPrices, gatewaySettings } from '@svc/db'
import { type PriceCard, priceIdOf } from '@svc/models'
import { beforeEach, expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { providerScene } from './support/provider-scene.ts'

const scene = providerScene()
const { ask, atSpare, atStub, ours, provider, rowOf } = scene

async function price(model: string, card: PriceCard) {
  const row = { model, card, price_id: priceIdOf(card), updated_at: new Date() }
  await gatewayPrices.set(scene.platform.base.db, ours(), row)
}

async function budget(cap_micros: number) {
  const { db } = scene.platform.base
  const { created_by } = await db.selectFrom('projects').select('created_by').executeTakeFirstOrThrow()
  const [budget_id, at] = [randomUUID(), new Date()]
  const block = { name: 'month', level: 'project', subject: null, period: 'month', mode: 'block' } as const
  await db
    .insertInto('gateway_budgets')
    .values({ budget_id, ...scene.project, ...block, cap_micros, created_by, created_at: at, updated_at: at })
    .execute()
}

/** A model that does not answer, with another one of the same place behind it. */
beforeEach(async () => {
  await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
  await provider(ours(), atSpare({ slug: 'other', keys: ['k2'] }))
  await gatewaySettings.update(scene.platform.base.db, ours(), { fallbacks: { 'acme/m1': ['other/m1'] } })
  scene.stub.answers((res) => void res.writeHead(500).end('{}'))
})

test('a model that costs something is paid for, when a free one of the same place fails', async () => {
  await price('acme/m1', { input: 0, output: 0 })
  await price('other/m1', { input: 0, output: 1_000_000 })
  await budget(300)
  const response = await ask({ model: 'acme/m1', max_tokens: 900 })
  expect(response.status).toBe(200)
  expect(scene.spare.seen[0]?.body).toMatchObject({ max_completion_tokens: 300 })
  expect(await rowOf(response)).toMatchObject({ status: 'settled', model: 'other/m1', hold_micros: 300 })
})

test.each([false, true])(
  'its row has each attempt in turn, the one that answered too (streamed: %s)',
  async (stream) => {
    const response = await ask({ model: 'acme/m1', stream })
    await response.text()
    await expect
      .poll(async () => (await rowOf(response)).attempts)
      .toMatchObject([
        { model: 'acme/m1', http_status: 500, code: expect.any(String) },
        { model: 'other/m1', http_status: 200, duration_ms: expect.any(Number) },
      ])
  },
)

test('it is refused where nothing is left, and its provider is not asked', async () => {
  await price('acme/m1', { input: 0, output: 0 })
  await price('other/m1', { input: 0, output: 1_000_000 })
  await budget(10)
  const response = await ask({ model: 'acme/m1' })
  expect([response.status, await response.json()]).toMatchObject([402, { code: 'budget_exceeded' }])
  expect(scene.spare.seen).toEqual([])
})

test('a model without a price is none that a budget pays for, when a free one fails', async () => {
  await price('acme/m1', { input: 0, output: 0 })
  await budget(1_000_000)
  const response = await ask({ model: 'acme/m1' })
  expect([response.status, await response.json()]).toMatchObject([422, { code: 'model_unpriced' }])
  expect(scene.spare.seen).toEqual([])
})

test('embeddings of a dearer model are not asked for beyond what was set aside', async () => {
  await price('acme/m1', { input: 1_000_000, output: 0 })
  await price('other/m1', { input: 500_000_000, output: 0 })
  await budget(100_000)
  const { platform, sealer } = scene
  const app = createGateway({
    ...platform.base,
    ...{ upstream: null, sealer, outbound_addresses: ['127.0.0.0/8'] },
  })
  const response = await app.request('/v1/llm/embeddings', {
    method: 'POST',
    headers: { 'x-api-key': platform.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/m1', input: 'word '.repeat(50) }),
  })
  expect([response.status, await response.json()]).toMatchObject([502, { code: 'model_unavailable' }])
  expect(scene.spare.seen).toEqual([])
})
