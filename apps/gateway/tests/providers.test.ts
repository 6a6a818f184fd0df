import type { ServerResponse } from 'node:http'
import { type GatewayPlace, gatewaySettings } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { providerScene } from './support/provider-scene.ts'

const scene = providerScene()
const { ask, atSpare, atStub, lastRow, ours, provider, rowOf } = scene
const operators: GatewayPlace = { scope: 'operator' }

const fails =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse) =>
    void res.writeHead(status, headers).end(JSON.stringify({ error: { message: 'no', type: 'x' } }))

describe('the nearest place', () => {
  test('hides a farther provider of the same slug whole, whatever fails', async () => {
    await provider(operators, atSpare({ slug: 'acme', keys: ['operator-key'] }))
    await provider(ours(), atStub({ slug: 'acme', keys: ['project-key'] }))
    scene.stub.answers(fails(500))
    const response = await ask({ model: 'acme/m1' })
    expect([response.status, scene.spare.seen.length]).toEqual([502, 0])
    expect(await lastRow()).toMatchObject({ status: 'failed', cost_micros: null, provider_scope: 'project' })
    expect(scene.stub.seen[0]?.headers.authorization).toBe('Bearer project-key')
  })

  test('names a project’s provider at an address that is public alone', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    const response = await ask({ model: 'acme/m1' }, { open: false })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'address_not_allowed' })
    expect(scene.stub.seen).toEqual([])
  })
})

describe('candidates', () => {
  test('another key is asked after a 429, and the key that cools is asked last', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['first', 'second'] }))
    scene.stub.answers((res) => {
      const limited = scene.stub.seen.at(-1)?.headers.authorization === 'Bearer first'
      if (limited) return fails(429, { 'retry-after': '20' })(res)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}')
    })
    const keys = () => scene.stub.seen.splice(0).map(({ headers }) => headers.authorization)
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
      await gatewaySettings.update(scene.platform.base.db, ours(), { fallbacks: { 'acme/m1': ['other/m1'] } })
      scene.stub.answers(fails(status))
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
    await gatewaySettings.update(scene.platform.base.db, ours(), { fallbacks: { 'acme/m1': ['other/m1'] } })
    scene.stub.answers(fails(status))
    const response = await ask({ model: 'acme/m1' })
    expect(response.ok).toBe(false)
    expect(response.headers.get('x-should-retry')).toBe(status === 401 ? null : 'false')
    expect(scene.spare.seen).toEqual([])
  })

  test('a project’s own key does not fall to the operator’s, which the account would pay', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await provider(operators, atSpare({ slug: 'other', keys: ['k2'] }))
    await gatewaySettings.update(scene.platform.base.db, ours(), {
      fallbacks: { 'acme/m1': [{ model: 'other/m1', billed: true }] },
    })
    scene.stub.answers(fails(500))
    expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    expect(scene.spare.seen).toEqual([])
    expect((await lastRow()).attempts).toContainEqual(expect.objectContaining({ skipped: 'own_key' }))
  })

  test('five failures open the breaker: the next call is 503 and asks no provider', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    scene.stub.answers(fails(500))
    for (let n = 0; n < 5; n++) expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    scene.stub.answers(null)
    const response = await ask({ model: 'acme/m1' })
    expect([response.status, scene.stub.seen.length]).toEqual([503, 5])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(20)
    expect(await response.json()).toMatchObject({ code: 'model_unavailable' })
    await scene.platform.base.db
      .updateTable('gateway_breakers')
      .set({ probe_at: new Date(0) })
      .execute()
    expect((await ask({ model: 'acme/m1' })).status).toBe(200)
    await expect
      .poll(() => scene.platform.base.db.selectFrom('gateway_breakers').selectAll().execute())
      .toEqual([])
  })
})

describe('who may ask what', () => {
  test('a model that a list keeps out is 403 by that list, and is not listed', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await gatewaySettings.update(scene.platform.base.db, ours(), { models: ['svc/*'] })
    const response = await ask({ model: 'acme/m1' })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'model_not_allowed', by: 'project' })
    expect((await ask({ model: 'demo' })).status).toBe(200)
  })

  test('two keys that differ are 400, and the same twice is one', async () => {
    const app = createGateway({ ...scene.platform.base, upstream: null })
    const both = (plain: string) =>
      app.request('/v1/llm/v1/models', {
        headers: { authorization: `Bearer ${scene.platform.key}`, 'x-api-key': plain },
      })
    expect((await both('other')).status).toBe(400)
    expect((await both(scene.platform.key)).status).toBe(200)
  })

  test('refusals have the shape of the dialect', async () => {
    const app = createGateway({ ...scene.platform.base, upstream: null })
    const response = await app.request('/v1/llm/messages?beta=true', {
      method: 'POST',
      headers: { 'x-api-key': scene.platform.key },
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
