import { randomBytes, randomUUID } from 'node:crypto'
import type { GatewayPlace } from '@svc/db'
import {
  addProviderKey,
  createProvider,
  listGatewayModels,
  removePrice,
  removeProvider,
  removeProviderKey,
  setPrice,
  updateGatewaySettings,
  updateProvider,
} from '@svc/spend'
import { createKeySealer } from '@svc/vault'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createGateway, openGateway, publishNamed } from '../src/index.ts'
import { type TestGateway, testGateway } from './support/gateway.ts'
import { type StubUpstream, stubUpstream } from './support/stub-upstream.ts'

let platform: TestGateway
let stub: StubUpstream
let ctx: Parameters<typeof createProvider>[0]
let app: ReturnType<typeof createGateway>
let ours: GatewayPlace
const sealer = createKeySealer(randomBytes(32))
const outbound_addresses = ['127.0.0.0/8']

beforeAll(async () => {
  platform = await testGateway()
  stub = await stubUpstream()
  const { db } = platform.base
  const { project_id, created_by } = await db
    .selectFrom('projects')
    .select(['project_id', 'created_by'])
    .executeTakeFirstOrThrow()
  ours = { scope: 'project', project_id }
  const settings = {
    ...{ api_url: 'http://127.0.0.1:1/v1', llm_base_url: null, session_cap: null, idle_after_seconds: 900 },
    ...{ trigger_idle_after_seconds: 300, ask_timeout_seconds: 1800, outbound_addresses },
  }
  const principal = { type: 'user', user_id: created_by, token_id: randomUUID() } as const
  ctx = { ...platform.base, principal, settings, provider_sealer: sealer }
  // One gateway for all of it, which has read its configuration before each change.
  app = createGateway({ ...platform.base, upstream: null, sealer, outbound_addresses })
})
afterAll(async () => {
  await stub.close()
  await platform.close()
})
beforeEach(() => {
  stub.seen.length = 0
})

async function ask(model: string) {
  const response = await app.request('/v1/llm/chat/completions', {
    method: 'POST',
    headers: { 'x-api-key': platform.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'scene:text' }] }),
  })
  await response.text()
  return response.status
}

const keys = () => stub.seen.splice(0).map(({ headers }) => headers.authorization)

test('each change holds from the next call on, in a gateway that runs', async () => {
  expect(await ask('acme/m1')).toBe(404)
  const made = await createProvider(ctx, ours, {
    ...{ slug: 'acme', kind: 'openai', base_url: `${stub.origin}/v1`, api_key: 'sk-the-first-key' },
    models: ['m1'],
  })
  expect(await ask('acme/m1')).toBe(200)
  expect(keys()).toEqual(['Bearer sk-the-first-key'])

  const second = await addProviderKey(ctx, ours, {
    slug: 'acme',
    name: 'second',
    api_key: 'sk-the-second-key',
  })
  const [first] = made.keys
  await removeProviderKey(ctx, ours, { slug: 'acme', key_id: first?.key_id ?? '' })
  expect(await ask('acme/m1')).toBe(200)
  expect(keys()).toEqual(['Bearer sk-the-second-key'])
  expect(second.hint).toBe('-key')

  await updateProvider(ctx, ours, { slug: 'acme', models: ['m2'] })
  expect([await ask('acme/m1'), await ask('acme/m2')]).toEqual([404, 200])
  await updateGatewaySettings(ctx, ours, { models: ['demo'] })
  expect(await ask('acme/m2')).toBe(403)
  await updateGatewaySettings(ctx, ours, { models: null })
  expect(await ask('acme/m2')).toBe(200)
  await updateProvider(ctx, ours, { slug: 'acme', enabled: false })
  expect(await ask('acme/m2')).toBe(404)
  await updateProvider(ctx, ours, { slug: 'acme', enabled: true })

  const costOf = async () => {
    expect(await ask('acme/m2')).toBe(200)
    const row = await platform.base.db
      .selectFrom('gateway_calls')
      .select(['cost_micros', 'price_id'])
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return row.price_id
  }
  expect(await costOf()).toBe(null)
  const { price_id } = await setPrice(ctx, ours, { model: 'acme/m2', card: { input: 7, output: 9 } })
  expect(await costOf()).toBe(price_id)
  await removePrice(ctx, ours, { model: 'acme/m2' })
  expect(await costOf()).toBe(null)

  await removeProvider(ctx, ours, { slug: 'acme' })
  expect(await ask('acme/m2')).toBe(404)
})

test('a provider of the environment does not take the place of one that the API made', async () => {
  const { db, now } = platform.base
  const { user_id } = await db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  await db.updateTable('users').set({ platform_admin: true, platform_admin_since: now() }).execute()
  const admin = { ...ctx, principal: { type: 'user', user_id, token_id: randomUUID() } as const }
  const theirs: GatewayPlace = { scope: 'operator' }
  const provider = { slug: 'mine', kind: 'openai', base_url: stub.origin } as const
  await createProvider(admin, theirs, provider)
  const publish = () =>
    publishNamed(db, { named: [{ ...provider, api_key: null }], upstream: null, now: now() })
  await expect(publish()).rejects.toThrow('svc admin providers rm mine')
  await removeProvider(admin, theirs, provider)
  await publish()
  await expect(removeProvider(admin, theirs, provider)).rejects.toMatchObject({ code: 'conflict' })
})

test('the API shows the models of a provider whose key the gateway alone has, as that listed them', async () => {
  const { db, now } = platform.base
  const named = [
    {
      ...({ slug: 'listed', kind: 'openai', base_url: `${stub.origin}/v1` } as const),
      ...{ api_key_env: 'LISTED_KEY', api_key: 'sk-of-the-environment' },
    },
  ]
  if (ours.scope !== 'project') throw new Error('Ours is a project')
  const { project_id } = ours
  const shown = async () =>
    (await listGatewayModels({ ...ctx, log: platform.base.log }, { project_id })).models
      .filter(({ provider }) => provider === 'listed')
      .map(({ model }) => model)
  await publishNamed(db, { named, upstream: null, now: now() })
  expect(await shown()).toEqual([])
  const gateway = openGateway({ ...platform.base, upstream: null, named })
  await vi.waitFor(async () => expect(await shown()).toContain('listed/listed-model'))
  expect(keys()).toEqual(['Bearer sk-of-the-environment'])
  await gateway.close()
})
