import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type GatewayPlace, gatewayProviders, gatewaySettings, placeColumns } from '@svc/db'
import { createKeySealer } from '@svc/vault'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { type TestGateway, testGateway } from './support/gateway.ts'
import { type StubUpstream, stubUpstream } from './support/stub-upstream.ts'

let platform: TestGateway
let stub: StubUpstream
let spare: StubUpstream
let project: { readonly project_id: string; readonly account_id: string }
const sealer = createKeySealer(randomBytes(32))

beforeAll(async () => {
  platform = await testGateway()
  ;[stub, spare] = [await stubUpstream(), await stubUpstream()]
  project = await platform.base.db
    .selectFrom('projects')
    .select(['project_id', 'account_id'])
    .executeTakeFirstOrThrow()
})
afterAll(async () => {
  await Promise.all([stub.close(), spare.close()])
  await platform.close()
})
beforeEach(() => {
  stub.seen.length = 0
  spare.seen.length = 0
})
afterEach(async () => {
  stub.answers(null)
  spare.answers(null)
  const { db } = platform.base
  await db.deleteFrom('gateway_providers').execute()
  await db.deleteFrom('gateway_settings').execute()
  await db.deleteFrom('gateway_prices').execute()
  await db.deleteFrom('gateway_holds').execute()
  await db.deleteFrom('gateway_budgets').execute()
})

const ours = (): GatewayPlace => ({ scope: 'project', project_id: project.project_id })
const operators: GatewayPlace = { scope: 'operator' }

interface Made {
  readonly slug: string
  readonly base_url: string
  readonly keys?: readonly string[]
  readonly kind?: 'openai' | 'anthropic' | 'openai_compatible'
}

async function provider(place: GatewayPlace, { slug, base_url, keys = [], kind = 'openai' }: Made) {
  const { db } = platform.base
  const [provider_id, at] = [randomUUID(), new Date()]
  await gatewayProviders.insert(db, {
    ...placeColumns(place),
    ...{ provider_id, slug, kind, base_url },
    models: JSON.stringify([{ id: 'm1', max_output_tokens: 1_000, context_window: 100_000 }]),
    deadlines: '{}',
    output_limit_field: 'max_completion_tokens',
    managed_by: 'api',
    created_by: null,
    created_at: at,
    updated_at: at,
  })
  for (const [index, key] of keys.entries()) {
    const key_id = randomUUID()
    await gatewayProviders.insertKey(db, {
      ...{ key_id, provider_id, name: `key ${index}` },
      sealed: sealer.seal([provider_id, key_id], key),
      variable: null,
      hint: key.slice(-4),
      created_at: new Date(at.getTime() + index),
    })
  }
  await gatewaySettings.touch(db, place)
  return provider_id
}

const atStub = (made: Omit<Made, 'base_url'>) => ({ ...made, base_url: `${stub.origin}/v1` })
const atSpare = (made: Omit<Made, 'base_url'>) => ({ ...made, base_url: `${spare.origin}/v1` })

function ask(body: object, given: { readonly open?: boolean } = {}) {
  const app = createGateway({
    ...platform.base,
    upstream: null,
    sealer,
    outbound_addresses: given.open === false ? [] : ['127.0.0.0/8'],
  })
  return app.request('/v1/llm/chat/completions', {
    method: 'POST',
    headers: { 'x-api-key': platform.key, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'scene:text' }], ...body }),
  })
}

async function rowOf(response: Response) {
  return platform.base.db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('call_id', '=', response.headers.get('x-svc-call-id') ?? '')
    .executeTakeFirstOrThrow()
}

const lastRow = () =>
  platform.base.db
    .selectFrom('gateway_calls')
    .selectAll()
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

const fails =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse) =>
    void res.writeHead(status, headers).end(JSON.stringify({ error: { message: 'no', type: 'x' } }))

describe('the nearest place', () => {
  test('hides a farther provider of the same slug whole, whatever fails', async () => {
    await provider(operators, atSpare({ slug: 'acme', keys: ['operator-key'] }))
    await provider(ours(), atStub({ slug: 'acme', keys: ['project-key'] }))
    stub.answers(fails(500))
    const response = await ask({ model: 'acme/m1' })
    expect([response.status, spare.seen.length]).toEqual([502, 0])
    expect(await lastRow()).toMatchObject({ status: 'failed', cost_micros: null, provider_scope: 'project' })
    expect(stub.seen[0]?.headers.authorization).toBe('Bearer project-key')
  })

  test('names a project’s provider at an address that is public alone', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    const response = await ask({ model: 'acme/m1' }, { open: false })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'address_not_allowed' })
    expect(stub.seen).toEqual([])
  })
})

describe('candidates', () => {
  test('another key is asked after a 429, and the key that cools is asked last', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['first', 'second'] }))
    stub.answers((res) => {
      const limited = stub.seen.at(-1)?.headers.authorization === 'Bearer first'
      if (limited) return fails(429, { 'retry-after': '20' })(res)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}')
    })
    const keys = () => stub.seen.splice(0).map(({ headers }) => headers.authorization)
    expect((await ask({ model: 'acme/m1' })).status).toBe(200)
    expect(keys()).toEqual(['Bearer first', 'Bearer second'])
    expect((await ask({ model: 'acme/m1' })).status).toBe(200)
    expect(keys()).toEqual(['Bearer second'])
  })

  test.each([402, 403, 408, 429, 500, 529])(
    'a fallback answers after a %i, and the answer says so',
    async (status) => {
      await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
      await provider(ours(), atSpare({ slug: 'other', keys: ['k2'] }))
      await gatewaySettings.update(platform.base.db, ours(), { fallbacks: { 'acme/m1': ['other/m1'] } })
      stub.answers(fails(status))
      const response = await ask({ model: 'acme/m1' })
      expect(response.status).toBe(200)
      expect(response.headers.get('x-svc-model')).toBe('other/m1')
      expect(response.headers.get('x-svc-fallback')).toBe('1')
      const row = await rowOf(response)
      expect(row).toMatchObject({ model: 'other/m1', status: 'settled', model_asked: 'acme/m1' })
    },
  )

  test.each([400, 401, 404, 422])('a %i is the caller’s, and no fallback is asked', async (status) => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await provider(ours(), atSpare({ slug: 'other', keys: ['k2'] }))
    await gatewaySettings.update(platform.base.db, ours(), { fallbacks: { 'acme/m1': ['other/m1'] } })
    stub.answers(fails(status))
    const response = await ask({ model: 'acme/m1' })
    expect(response.ok).toBe(false)
    expect(response.headers.get('x-should-retry')).toBe(status === 401 ? null : 'false')
    expect(spare.seen).toEqual([])
  })

  test('a project’s own key does not fall to the operator’s, which the account would pay', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await provider(operators, atSpare({ slug: 'other', keys: ['k2'] }))
    await gatewaySettings.update(platform.base.db, ours(), {
      fallbacks: { 'acme/m1': [{ model: 'other/m1', billed: true }] },
    })
    stub.answers(fails(500))
    expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    expect(spare.seen).toEqual([])
    expect((await lastRow()).attempts).toContainEqual(expect.objectContaining({ skipped: 'own_key' }))
  })

  test('five failures open the breaker: the next call is 503 and asks no provider', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    stub.answers(fails(500))
    for (let n = 0; n < 5; n++) expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    stub.answers(null)
    const response = await ask({ model: 'acme/m1' })
    expect([response.status, stub.seen.length]).toEqual([503, 5])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(20)
    expect(await response.json()).toMatchObject({ code: 'model_unavailable' })
    await platform.base.db
      .updateTable('gateway_breakers')
      .set({ probe_at: new Date(0) })
      .execute()
    expect((await ask({ model: 'acme/m1' })).status).toBe(200)
    await expect.poll(() => platform.base.db.selectFrom('gateway_breakers').selectAll().execute()).toEqual([])
  })
})

describe('who may ask what', () => {
  test('a model that a list keeps out is 403 by that list, and is not listed', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await gatewaySettings.update(platform.base.db, ours(), { models: ['svc/*'] })
    const response = await ask({ model: 'acme/m1' })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'model_not_allowed', by: 'project' })
    expect((await ask({ model: 'demo' })).status).toBe(200)
  })

  test('two keys that differ are 400, and the same twice is one', async () => {
    const app = createGateway({ ...platform.base, upstream: null })
    const both = (plain: string) =>
      app.request('/v1/llm/v1/models', {
        headers: { authorization: `Bearer ${platform.key}`, 'x-api-key': plain },
      })
    expect((await both('other')).status).toBe(400)
    expect((await both(platform.key)).status).toBe(200)
  })

  test('refusals have the shape of the dialect', async () => {
    const app = createGateway({ ...platform.base, upstream: null })
    const response = await app.request('/v1/llm/messages?beta=true', {
      method: 'POST',
      headers: { 'x-api-key': platform.key },
      body: JSON.stringify({ model: 'nope/x', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }),
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error', code: 'model_not_found' },
      status: 404,
      code: 'model_not_found',
      request_id: response.headers.get('x-request-id'),
    })
  })
})
