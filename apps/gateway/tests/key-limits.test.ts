import { randomUUID } from 'node:crypto'
import { gatewayKeys, gatewayProviders, gatewaySettings, placeColumns } from '@svc/db'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { createGateway } from '../src/index.ts'
import { hello, post, type TestGateway, testGateway } from './support/gateway.ts'

let platform: TestGateway
let app: ReturnType<typeof createGateway>
let token_id: string
const none = { requests_per_minute: null, tokens_per_minute: null, concurrency: null, models: null }

beforeAll(async () => {
  platform = await testGateway()
  app = platform.gateway()
  const { db } = platform.base
  const row = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('kind', '=', 'gateway')
    .executeTakeFirst()
  token_id = row?.token_id ?? ''
})
afterAll(() => platform.close())
afterEach(() => gatewayKeys.setLimits(platform.base.db, token_id, none))

const limit = (limits: Partial<gatewayKeys.GatewayKey['limits']>) =>
  gatewayKeys.setLimits(platform.base.db, token_id, { ...none, ...limits })
const ask = () => post(app, hello, platform.key)
const listed = async (path = '/models') =>
  app.request(`/v1/llm${path}`, { headers: { authorization: `Bearer ${platform.key}` } })

test('a key over its limit is 429 with the time to wait and the headers of a limit, a free model or not', async () => {
  await limit({ requests_per_minute: 1 })
  expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect(refused.status).toBe(429)
  const headers = Object.fromEntries(refused.headers)
  expect(headers).toMatchObject({
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': headers['retry-after'],
    'retry-after': expect.stringMatching(/^[1-5]?[0-9]$|^60$/),
  })
  expect(headers).not.toHaveProperty('x-should-retry')
  expect(await refused.json()).toMatchObject({
    code: 'rate_limit_exceeded',
    limited: 'requests_per_minute',
    error: { code: 'rate_limit_exceeded' },
  })
  await limit({ requests_per_minute: 100 })
  expect((await ask()).status).toBe(200)
})

test('a key that may name other models alone is refused by the key, and does not list the rest', async () => {
  await limit({ models: ['acme/*'] })
  const refused = await ask()
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ code: 'model_not_allowed', by: 'key', action: 'askModel' })
  expect(await (await listed()).json()).toMatchObject({ data: [] })
  expect((await listed('/models/demo')).status).toBe(404)
  await limit({ models: ['acme/*', 'demo'] })
  expect((await ask()).status).toBe(200)
  expect(await (await listed()).json()).toMatchObject({ data: [{ id: 'demo' }] })
})

test('the last use of a key is at most a minute old', async () => {
  const { db } = platform.base
  const used = async () =>
    (await db.selectFrom('tokens').select('last_used_at').where('token_id', '=', token_id).executeTakeFirst())
      ?.last_used_at
  const before = new Date(Date.now() - 61_000)
  await db.updateTable('tokens').set({ last_used_at: before }).where('token_id', '=', token_id).execute()
  await ask()
  expect(await used()).not.toEqual(before)
})

test('the list begins with the model that a call without a name means', async () => {
  const { db } = platform.base
  const { project_id } = await db.selectFrom('projects').select('project_id').executeTakeFirstOrThrow()
  const place = { scope: 'project', project_id } as const
  const now = new Date()
  await gatewayProviders.insert(db, {
    ...placeColumns(place),
    ...{ provider_id: randomUUID(), slug: 'acme', kind: 'openai', base_url: 'https://models.acme.example' },
    ...{ models: JSON.stringify(['m1', 'm2']), deadlines: '{}', output_limit_field: 'max_tokens' },
    ...{ managed_by: 'api', created_by: null, created_at: now, updated_at: now },
  })
  const ids = async () =>
    z.object({ data: z.array(z.object({ id: z.string() })) }).parse(await (await listed()).json())
  await gatewaySettings.touch(db, place)
  expect(await ids()).toEqual({ data: [{ id: 'demo' }, { id: 'acme/m1' }, { id: 'acme/m2' }] })
  await gatewaySettings.update(db, place, { default_model: 'acme/m2' })
  expect(await ids()).toEqual({ data: [{ id: 'acme/m2' }, { id: 'demo' }, { id: 'acme/m1' }] })
})
