import { randomBytes, randomUUID } from 'node:crypto'
import { type GatewayPlace, gatewayPrices, gatewayProviders, gatewaySettings, placeColumns } from '@svc/db'
import { priceIdOf } from '@svc/models'
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

describe('providers that lie', () => {
  test('a key that an error repeats is masked', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['sk-very-secret'] }))
    stub.answers(
      (res) => void res.writeHead(400).end(JSON.stringify({ error: { message: 'bad sk-very-secret!' } })),
    )
    const text = await (await ask({ model: 'acme/m1' })).text()
    expect(text).toContain('bad [key]!')
    expect(text).not.toContain('sk-very-secret')
  })

  test('a redirect is refused, not followed', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    stub.answers((res) => void res.writeHead(307, { location: `${spare.origin}/v1/chat/completions` }).end())
    expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    expect(spare.seen).toEqual([])
  })

  test('a stream without usage is counted here', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    stub.answers((res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(
          'data: {"choices":[{"index":0,"delta":{"content":"hello world"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        ),
    )
    const response = await ask({ model: 'acme/m1', stream: true })
    await response.text()
    const row = await rowOf(response)
    expect(row).toMatchObject({ status: 'settled', estimated: true })
    expect(row.output_tokens).toBeGreaterThan(0)
  })

  test('half an event and an early end are an error of the stream, not a good answer', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    stub.answers((res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('data: {"choices":[{"index":0,"delta":{"content":"hel"}}]}\n\ndata: {"choi'),
    )
    const response = await ask({ model: 'acme/m1', stream: true })
    const text = await response.text()
    expect(text).toContain('"code":"model_unavailable"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text).not.toContain('{"choi\n')
    expect(await rowOf(response)).toMatchObject({ status: 'failed' })
  })
})

describe('a blocking budget', () => {
  async function budget(cap_micros: number, card = { input: 0, output: 1_000_000 }) {
    const { db } = platform.base
    const { created_by } = await db.selectFrom('projects').select('created_by').executeTakeFirstOrThrow()
    await gatewayPrices.set(db, ours(), {
      model: 'acme/m1',
      card,
      price_id: priceIdOf(card),
      updated_at: new Date(),
    })
    await gatewaySettings.touch(db, ours())
    await db
      .insertInto('gateway_budgets')
      .values({
        budget_id: randomUUID(),
        ...project,
        name: 'month',
        level: 'project',
        subject: null,
        period: 'month',
        cap_micros,
        mode: 'block',
        created_by,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()
  }

  test('lowers the output limit to what it pays for', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(300)
    expect((await ask({ model: 'acme/m1', max_tokens: 900 })).status).toBe(200)
    expect(stub.seen[0]?.body).toMatchObject({ max_completion_tokens: 300 })
    expect(stub.seen[0]?.body).not.toHaveProperty('max_tokens')
    const metrics = await platform.base.metrics.render()
    expect(metrics).toMatch(/^svc_model_held_micros(\{.*\})? 0$/m)
    expect(metrics).toMatch(/^svc_model_cost_micros_total\{.*model="acme\/m1".*\} [1-9]\d*$/m)
  })

  test('refuses the call that it cannot pay for', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(10)
    const response = await ask({ model: 'acme/m1' })
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({
      code: 'budget_exceeded',
      budget: { name: 'month', level: 'project' },
      cap_micros: 10,
    })
    expect(stub.seen).toEqual([])
    expect(await platform.base.metrics.render()).toMatch(
      /^svc_model_refusals_total\{.*code="budget_exceeded".*\} 1$/m,
    )
  })

  test('has a provider count the input where its bytes alone do not fit, and refuses when that does not fit either', async () => {
    const long = { messages: [{ role: 'user', content: 'scene:text '.repeat(40) }], max_tokens: 10 }
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(150, { input: 1_000_000, output: 1_000_000 })
    const response = await ask({ model: 'acme/m1', ...long })
    expect(response.status).toBe(200)
    expect(stub.seen.map(({ url }) => url)).toEqual(['/v1/responses/input_tokens', '/v1/chat/completions'])
    expect(stub.seen[0]?.body).toMatchObject({ model: 'm1', input: [{ role: 'user' }] })
    // 42 tokens, 5 % and 64 more, and 10 of output.
    expect(await rowOf(response)).toMatchObject({ status: 'settled', hold_micros: 42 + 3 + 64 + 10 })

    stub.seen.length = 0
    const { db } = platform.base
    const { spent_micros } = await db
      .selectFrom('gateway_budget_windows as w')
      .innerJoin('gateway_budgets as b', 'b.budget_id', 'w.budget_id')
      .select('w.spent_micros')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('gateway_budgets')
      .set({ cap_micros: spent_micros + 100 })
      .execute()
    const calls = () =>
      platform.base.db
        .selectFrom('gateway_calls')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    const before = Number((await calls()).n)
    expect((await ask({ model: 'acme/m1', ...long })).status).toBe(402)
    expect(stub.seen.map(({ url }) => url)).toEqual(['/v1/responses/input_tokens'])
    expect(Number((await calls()).n)).toBe(before + 1)

    // Of a provider that cannot count, the bytes are the word.
    stub.answers((res) => void res.writeHead(404).end('{}'))
    expect((await ask({ model: 'acme/m1', ...long })).status).toBe(402)
    expect(await lastRow()).toMatchObject({ status: 'refused', code: 'budget_exceeded' })
  })

  test('cuts the stream of a provider that ignores the limit, and the stream ends well', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(40)
    stub.answers((res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(
        () =>
          res.write(
            `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: 'word after word '.repeat(8) } }] })}\n\n`,
          ),
        5,
      )
      res.on('close', () => clearInterval(timer))
    })
    const response = await ask({ model: 'acme/m1', stream: true })
    const text = await response.text()
    expect(text).toContain('"finish_reason":"length"')
    expect(text).toContain('"code":"budget_exceeded"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await rowOf(response)).toMatchObject({ status: 'cut', code: 'budget_exceeded', cost_micros: 40 })
    await expect.poll(() => stub.left()).toBeGreaterThan(0)
  })
})
