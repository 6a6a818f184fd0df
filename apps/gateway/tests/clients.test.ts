import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../src/serve.ts'
import { publishNamed } from '../src/index.ts'
import { type TestGateway, testGateway } from './support/gateway.ts'
import { scenes } from './support/stub-answers/chat.ts'
import { type StubUpstream, stubUpstream } from './support/stub-upstream.ts'

let platform: TestGateway
let stub: StubUpstream
let running: Awaited<ReturnType<typeof startGateway>>

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  platform = await testGateway()
  stub = await stubUpstream()
  const provider = (slug: string, kind: 'openai' | 'openai_compatible' | 'anthropic') => ({
    slug,
    kind,
    base_url: kind === 'anthropic' ? stub.origin : `${stub.origin}/v1`,
    api_key_env: 'STUB_KEY',
    api_key: 'stub-key-1234',
    models: ['m1'],
  })
  const named = [
    provider('acme', 'openai'),
    provider('claudia', 'anthropic'),
    provider('local', 'openai_compatible'),
  ]
  await publishNamed(platform.base.db, { named, upstream: null, now: new Date() })
  running = await startGateway({ ...platform.base, upstream: null, named }, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await running.close()
  await stub.close()
  await platform.close()
})

const gatewayUrl = () => `http://127.0.0.1:${running.port}/v1/llm`
const openai = (through: boolean) =>
  new OpenAI({
    apiKey: through ? platform.key : 'stub-key-1234',
    baseURL: through ? gatewayUrl() : `${stub.origin}/v1`,
    maxRetries: 0,
  })
const anthropic = (through: boolean) =>
  new Anthropic({
    apiKey: through ? platform.key : 'stub-key-1234',
    baseURL: through ? gatewayUrl() : stub.origin,
    maxRetries: 0,
  })

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The error of a client without what differs by the way: headers, and the platform's fields beside the provider's. */
async function errorOf(asked: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asked.catch((caught: unknown) => caught)
  if (!(error instanceof OpenAI.APIError) && !(error instanceof Anthropic.APIError)) throw error
  const { status, name, error: body } = error
  const inner: { type?: unknown; message?: unknown } = Object(Object(body)['error'] ?? body)
  return { status, name, type: inner.type, message: inner.message }
}

const good = scenes.filter((scene) => scene !== 'error')
const modelOf = (through: boolean, slug: string) => (through ? `${slug}/m1` : 'm1')

describe('the SDK of OpenAI gets through the gateway what it gets of the provider', () => {
  const chat = (through: boolean, scene: string) => ({
    model: modelOf(through, 'acme'),
    messages: [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: `scene:${scene}` },
          { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } },
        ],
      },
    ],
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }],
  })

  test.each(good)('a whole chat: %s', async (scene) => {
    const ask = (through: boolean) => openai(through).chat.completions.create(chat(through, scene))
    expect(await ask(true)).toEqual(await ask(false))
  })

  test.each(good.flatMap((scene) => [[scene, true] as const, [scene, false] as const]))(
    'a streamed chat: %s, usage asked for: %s',
    async (scene, include_usage) => {
      const ask = async (through: boolean) =>
        all(
          await openai(through).chat.completions.create({
            ...chat(through, scene),
            stream: true,
            ...(include_usage ? { stream_options: { include_usage } } : {}),
          }),
        )
      expect(await ask(true)).toEqual(await ask(false))
    },
  )

  test.each(good)('a whole response and its stream: %s', async (scene) => {
    const ask = (through: boolean) => ({
      model: modelOf(through, 'acme'),
      input: `scene:${scene}`,
      store: false,
    })
    expect(await openai(true).responses.create(ask(true))).toEqual(
      await openai(false).responses.create(ask(false)),
    )
    const stream = async (through: boolean) =>
      all(await openai(through).responses.create({ ...ask(through), stream: true }))
    expect(await stream(true)).toEqual(await stream(false))
  })

  test('embeddings, and an error', async () => {
    const embed = (through: boolean) =>
      openai(through).embeddings.create({
        model: modelOf(through, 'acme'),
        input: 'one',
        encoding_format: 'float',
      })
    expect(await embed(true)).toEqual(await embed(false))
    const ask = (through: boolean) => errorOf(openai(through).chat.completions.create(chat(through, 'error')))
    expect(await ask(true)).toEqual(await ask(false))
  })

  test('the list of models', async () => {
    const ids = (await all(await openai(true).models.list())).map((model) => Object(model)['id'])
    expect(ids).toEqual(['demo', 'acme/m1', 'claudia/m1', 'local/m1'])
    expect(await openai(true).models.retrieve('acme/m1')).toMatchObject({ id: 'acme/m1', object: 'model' })
  })
})

describe('the SDK of Anthropic gets through the gateway what it gets of the provider', () => {
  const message = (through: boolean, scene: string) => ({
    model: modelOf(through, 'claudia'),
    max_tokens: 500,
    messages: [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: `scene:${scene}` },
          {
            type: 'image' as const,
            source: { type: 'base64' as const, media_type: 'image/png' as const, data: image },
          },
        ],
      },
    ],
  })

  test.each(good)('a whole message and its stream: %s', async (scene) => {
    const ask = (through: boolean) => anthropic(through).messages.create(message(through, scene))
    expect(await ask(true)).toEqual(await ask(false))
    const stream = async (through: boolean) =>
      all(await anthropic(through).messages.create({ ...message(through, scene), stream: true }))
    expect(await stream(true)).toEqual(await stream(false))
    const final = (through: boolean) =>
      anthropic(through).messages.stream(message(through, scene)).finalMessage()
    expect(await final(true)).toEqual(await final(false))
  })

  test('a count of tokens, an error, and the list of models', async () => {
    const { max_tokens: _, ...counted } = message(true, 'text')
    expect(await anthropic(true).messages.countTokens(counted)).toEqual({ input_tokens: 42 })
    const ask = (through: boolean) => errorOf(anthropic(through).messages.create(message(through, 'error')))
    expect(await ask(true)).toEqual(await ask(false))
    const models = await all(await anthropic(true).models.list())
    expect(models.map((model) => Object(model)['id'])).toContain('claudia/m1')
  })

  test('a client that cancels ends the provider’s work', async () => {
    const before = stub.left()
    stub.answers((res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('event: ping\ndata: {"type":"ping"}\n\n')
    })
    const stream = anthropic(true).messages.stream(message(true, 'text'))
    stream.on('connect', () => setTimeout(() => stream.abort(), 50))
    await expect(stream.finalMessage()).rejects.toThrow()
    await expect.poll(() => stub.left()).toBeGreaterThan(before)
    stub.answers(null)
  })
})

describe('a model is asked in any dialect', () => {
  const every = ['acme/m1', 'claudia/m1', 'local/m1', 'demo'] as const
  const said = (model: string) =>
    model === 'demo' ? expect.stringContaining('You asked') : 'Hello from the stub'

  test.each(every)('%s in chat', async (model) => {
    const ask = { model, messages: [{ role: 'user' as const, content: 'scene:text' }] }
    const whole = await openai(true).chat.completions.create(ask)
    expect(whole.choices[0]?.message.content).toEqual(said(model))
    expect(whole.usage?.completion_tokens).toBeGreaterThan(0)
    const stream = openai(true).chat.completions.stream(ask)
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toEqual(said(model))
  })

  test.each(every)('%s in responses', async (model) => {
    const ask = { model, input: 'scene:text' }
    expect((await openai(true).responses.create(ask)).output_text).toEqual(said(model))
    const final = await openai(true).responses.stream(ask).finalResponse()
    expect(final.output_text).toEqual(said(model))
  })

  test.each(every)('%s in messages', async (model) => {
    const ask = { model, max_tokens: 200, messages: [{ role: 'user' as const, content: 'scene:text' }] }
    const text = (message: Anthropic.Message) =>
      message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    expect(text(await anthropic(true).messages.create(ask))).toEqual(said(model))
    expect(text(await anthropic(true).messages.stream(ask).finalMessage())).toEqual(said(model))
  })

  test.each(every.slice(0, 3))('%s calls two tools at once, in messages and in chat', async (model) => {
    const message = await anthropic(true)
      .messages.stream({
        model,
        max_tokens: 200,
        messages: [{ role: 'user', content: 'scene:tools' }],
        tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      })
      .finalMessage()
    expect(message.content).toMatchObject([
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Köln' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rio' } },
    ])
    expect(message.stop_reason).toBe('tool_use')
    const chat = await openai(true)
      .chat.completions.stream({
        model,
        messages: [{ role: 'user', content: 'scene:tools' }],
        tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
      })
      .finalChatCompletion()
    expect(chat.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Köln"}' } },
      { id: 'call_2', function: { name: 'weather', arguments: '{"city":"Rio"}' } },
    ])
  })

  test('a provider’s refusal of a translated call is told in the caller’s dialect', async () => {
    const ask = anthropic(true).messages.create({
      model: 'acme/m1',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'scene:error' }],
    })
    expect(await errorOf(ask)).toMatchObject({ status: 400, message: 'The scene is an error' })
  })

  test('embeddings of a kind that makes none are 400', async () => {
    const ask = openai(true).embeddings.create({ model: 'claudia/m1', input: 'x' })
    await expect(ask).rejects.toMatchObject({ status: 400, code: 'model_refused' })
  })
})

test('a call is a row with what it cost, and its headers name it', async () => {
  const asked = await openai(true)
    .chat.completions.create({ model: 'acme/m1', messages: [{ role: 'user', content: 'scene:text' }] })
    .withResponse()
  const { headers } = asked.response
  expect(headers.get('x-svc-model')).toBe('acme/m1')
  expect(headers.get('x-upstream-request-id')).toBe('req_upstream')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const row = await platform.base.db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('call_id', '=', headers.get('x-svc-call-id') ?? '')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    status: 'settled',
    dialect: 'chat',
    model: 'acme/m1',
    provider: 'acme',
    provider_scope: 'operator',
    input_tokens: 100,
    output_tokens: 20,
    cache_read_tokens: 30,
    reasoning_tokens: 5,
    estimated: false,
    finish: 'stop',
    upstream_request_id: 'req_upstream',
  })
  expect(JSON.stringify(stub.seen.map(({ headers: sent }) => sent))).not.toContain(platform.key)
})
