import { gatewaySettings } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { blockingBudget, priceOf } from './support/blocking-budget.ts'
import { providerScene } from './support/provider-scene.ts'

const scene = providerScene()
const { ask, atSpare, atStub, lastRow, ours, provider, rowOf } = scene

/** Requests of the model that ended well, those that did not, and the tokens of its input. */
async function measured() {
  const text = await scene.platform.base.metrics.render()
  const value = (family: string, label: string) =>
    Number(new RegExp(`^${family}\\{.*model="acme/m1".*${label}.*\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  const ended = (outcome: string) => value('svc_model_request_duration_seconds_count', `outcome="${outcome}"`)
  return {
    done: ended('done'),
    failed: ended('failed'),
    tokens: value('svc_model_tokens_total', 'kind="input"'),
  }
}

describe('providers that lie', () => {
  test('a key that an error repeats is masked', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['sk-very-secret'] }))
    scene.stub.answers(
      (res) => void res.writeHead(400).end(JSON.stringify({ error: { message: 'bad sk-very-secret!' } })),
    )
    const text = await (await ask({ model: 'acme/m1' })).text()
    expect(text).toContain('bad [key]!')
    expect(text).not.toContain('sk-very-secret')
  })

  test('a redirect is refused, not followed', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    scene.stub.answers(
      (res) => void res.writeHead(307, { location: `${scene.spare.origin}/v1/chat/completions` }).end(),
    )
    expect((await ask({ model: 'acme/m1' })).status).toBe(502)
    expect(scene.spare.seen).toEqual([])
  })

  test('a stream without usage is counted here', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    scene.stub.answers((res) =>
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
    scene.stub.answers((res) =>
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
  const price = (model: string, card = { input: 0, output: 1_000_000 }) =>
    priceOf(scene.platform.base.db, ours(), model, card)

  async function budget(cap_micros: number, card = { input: 0, output: 1_000_000 }) {
    const { db } = scene.platform.base
    await price('acme/m1', card)
    await blockingBudget(db, scene.project.project_id, cap_micros)
  }

  test('lowers the output limit to what it pays for', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(300)
    expect((await ask({ model: 'acme/m1', max_tokens: 900 })).status).toBe(200)
    expect(scene.stub.seen[0]?.body).toMatchObject({ max_completion_tokens: 300 })
    expect(scene.stub.seen[0]?.body).not.toHaveProperty('max_tokens')
    const metrics = await scene.platform.base.metrics.render()
    expect(metrics).toMatch(/^svc_model_held_micros(\{.*\})? 0$/m)
    expect(metrics).toMatch(/^svc_model_cost_micros_total\{.*model="acme\/m1".*\} [1-9]\d*$/m)
  })

  test('lets go what it held for a place that failed, when another one pays', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await provider({ scope: 'operator' }, atSpare({ slug: 'other', keys: ['k2'] }))
    await gatewaySettings.update(
      scene.platform.base.db,
      { scope: 'operator' },
      {
        fallbacks: { 'acme/m1': [{ model: 'other/m1', billed: true }] },
      },
    )
    await budget(1_000_000)
    await price('other/m1')
    scene.stub.answers((res) => void res.writeHead(500).end('{}'))
    const before = await measured()
    const response = await ask({ model: 'acme/m1' })
    expect(response.status).toBe(200)
    expect(scene.spare.seen).toHaveLength(1)
    const after = await measured()
    expect([after.done - before.done, after.failed - before.failed]).toEqual([1, 0])
    expect(after.tokens).toBeGreaterThan(before.tokens)
    expect(await rowOf(response)).toMatchObject({ status: 'settled', provider_scope: 'operator' })
    expect(await scene.platform.base.metrics.render()).toMatch(/^svc_model_held_micros(\{.*\})? 0$/m)
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
    expect(scene.stub.seen).toEqual([])
    expect(await scene.platform.base.metrics.render()).toMatch(
      /^svc_model_refusals_total\{.*code="budget_exceeded".*\} 1$/m,
    )
  })

  test('has a provider count the input where its bytes alone do not fit, and refuses when that does not fit either', async () => {
    const long = { messages: [{ role: 'user', content: 'scene:text '.repeat(40) }], max_tokens: 10 }
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(150, { input: 1_000_000, output: 1_000_000 })
    const response = await ask({ model: 'acme/m1', ...long })
    expect(response.status).toBe(200)
    expect(scene.stub.seen.map(({ url }) => url)).toEqual([
      '/v1/responses/input_tokens',
      '/v1/chat/completions',
    ])
    expect(scene.stub.seen[0]?.body).toMatchObject({ model: 'm1', input: [{ role: 'user' }] })
    // 42 tokens, 5 % and 64 more, and 10 of output.
    expect(await rowOf(response)).toMatchObject({ status: 'settled', hold_micros: 42 + 3 + 64 + 10 })

    scene.stub.seen.length = 0
    const { db } = scene.platform.base
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
      scene.platform.base.db
        .selectFrom('gateway_calls')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    const before = Number((await calls()).n)
    expect((await ask({ model: 'acme/m1', ...long })).status).toBe(402)
    expect(scene.stub.seen.map(({ url }) => url)).toEqual(['/v1/responses/input_tokens'])
    expect(Number((await calls()).n)).toBe(before + 1)

    // Of a provider that cannot count, the bytes are the word.
    scene.stub.answers((res) => void res.writeHead(404).end('{}'))
    expect((await ask({ model: 'acme/m1', ...long })).status).toBe(402)
    expect(await lastRow()).toMatchObject({ status: 'refused', code: 'budget_exceeded' })
  })

  test('cuts the stream of a provider that ignores the limit, and the stream ends well', async () => {
    await provider(ours(), atStub({ slug: 'acme', keys: ['k'] }))
    await budget(40)
    scene.stub.answers((res) => {
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
    await expect.poll(() => scene.stub.left()).toBeGreaterThan(0)
  })
})
