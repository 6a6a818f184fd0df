import { gatewaySettings } from '@svc/db'
import { createHash } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { providerScene } from './support/provider-scene.ts'

const scene = providerScene()

/** Statements that this gateway has sent, by their beginning. */
let statements: string[] = []
const counting: KyselyPlugin = {
  transformQuery({ node }) {
    statements.push(node.kind)
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

/** One gateway for all calls of a test, as a process is. */
function oneGateway() {
  const { base } = scene.platform
  const app = createGateway({
    ...base,
    db: base.db.withPlugin(counting),
    ...{ upstream: null, sealer: scene.sealer, outbound_addresses: ['127.0.0.0/8'] },
  })
  return async (body: object | string = {}) => {
    statements = []
    const response = await app.request('/v1/llm/chat/completions', {
      method: 'POST',
      headers: { 'x-api-key': scene.platform.key, 'content-type': 'application/json' },
      body:
        typeof body === 'string'
          ? body
          : JSON.stringify({
              model: 'acme/m1',
              messages: [{ role: 'user', content: 'scene:text' }],
              ...body,
            }),
    })
    return { status: response.status, body: await response.text() }
  }
}

const keyHash = () => createHash('sha256').update(scene.platform.key).digest()

async function setSuspended(suspended_at: Date | null) {
  const { account_id } = scene.project
  await scene.platform.base.db
    .updateTable('accounts')
    .set({ suspended_at })
    .where('account_id', '=', account_id)
    .execute()
}

afterEach(async () => {
  await setSuspended(null)
  await scene.platform.base.db.updateTable('tokens').set({ revoked_at: null }).execute()
})

test('a key that was seen is checked and admitted by one statement, and settled by another', async () => {
  await scene.provider(scene.ours(), scene.atStub({ slug: 'acme' }))
  const ask = oneGateway()
  expect(await ask()).toMatchObject({ status: 200 })
  expect(await ask()).toMatchObject({ status: 200 })
  expect(await ask()).toMatchObject({ status: 200 })
  expect(statements).toHaveLength(2)
})

test('a key that is revoked asks no model with its next call, and leaves no row of it', async () => {
  await scene.provider(scene.ours(), scene.atStub({ slug: 'acme' }))
  const ask = oneGateway()
  for (let n = 0; n < 3; n += 1) expect(await ask()).toMatchObject({ status: 200 })
  const { db } = scene.platform.base
  const rows = () => db.selectFrom('gateway_calls').select('call_id').execute()
  const [before, seen] = [(await rows()).length, scene.stub.seen.length]
  await db.updateTable('tokens').set({ revoked_at: new Date() }).where('token_hash', '=', keyHash()).execute()
  expect(await ask()).toMatchObject({ status: 401 })
  expect(await ask('not JSON')).toMatchObject({ status: 401 })
  expect(await ask({ model: 'acme/elsewhere' })).toMatchObject({ status: 401 })
  expect(scene.stub.seen).toHaveLength(seen)
  expect(await rows()).toHaveLength(before)
})

test('what was decided since the last call of a key holds for the next one', async () => {
  await scene.provider(scene.ours(), scene.atStub({ slug: 'acme' }))
  const ask = oneGateway()
  for (let n = 0; n < 3; n += 1) expect(await ask()).toMatchObject({ status: 200 })
  const { db } = scene.platform.base
  const decide = async (models: readonly string[] | null) => {
    await gatewaySettings.update(db, scene.ours(), { models })
  }
  await decide(['other/*'])
  expect(await ask()).toMatchObject({ status: 403, body: expect.stringContaining('model_not_allowed') })
  await decide(null)
  expect(await ask()).toMatchObject({ status: 200 })
  await setSuspended(new Date())
  expect(await ask()).toMatchObject({ status: 403, body: expect.stringContaining('account_suspended') })
  await setSuspended(null)
  expect(await ask()).toMatchObject({ status: 200 })
})

test('the use of a key is noted once a minute', async () => {
  await scene.provider(scene.ours(), scene.atStub({ slug: 'acme' }))
  const ask = oneGateway()
  for (let n = 0; n < 3; n += 1) await ask()
  const { db } = scene.platform.base
  const old = new Date(Date.now() - 90_000)
  await db.updateTable('tokens').set({ last_used_at: old }).where('token_hash', '=', keyHash()).execute()
  expect(await ask()).toMatchObject({ status: 200 })
  const { last_used_at } = await db
    .selectFrom('tokens')
    .select('last_used_at')
    .where('token_hash', '=', keyHash())
    .executeTakeFirstOrThrow()
  expect(last_used_at?.getTime()).toBeGreaterThan(old.getTime())
})
