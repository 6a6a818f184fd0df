import { ApiError, GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishNamed } from '../src/index.ts'
import { startGateway } from '../src/serve.ts'
import { type TestGateway, testGateway } from './support/gateway.ts'
import { type StubUpstream, stubUpstream } from './support/stub-upstream.ts'

let platform: TestGateway
let stub: StubUpstream
let running: Awaited<ReturnType<typeof startGateway>>

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
const google = (apiKey = platform.key) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gatewayUrl() } })

async function streamed(model: string, contents: string, config = {}): Promise<GenerateContentResponse[]> {
  const pieces: GenerateContentResponse[] = []
  for await (const piece of await google().models.generateContentStream({ model, contents, config }))
    pieces.push(piece)
  return pieces
}

const weather = {
  functionDeclarations: [
    { name: 'weather', parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } } },
  ],
}

describe('the SDK of Google', () => {
  test('has whole and streamed answers of the scripted model', async () => {
    const whole = await google().models.generateContent({ model: 'demo', contents: 'Hello' })
    expect(whole.text).toBe('[scripted demo model] You asked: Hello')
    expect(whole.candidates?.[0]?.finishReason).toBe('STOP')
    expect(whole.usageMetadata?.totalTokenCount).toBeGreaterThan(0)
    const pieces = await streamed('svc/demo', 'Hello')
    expect(pieces.map(({ text }) => text ?? '').join('')).toBe(whole.text)
    expect(pieces.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  })

  test.each(['acme/m1', 'local/m1', 'claudia/m1'])('has text and calls of %s', async (model) => {
    const config = { tools: [weather], maxOutputTokens: 200, topK: 64, systemInstruction: 'Be short' }
    const text = await google().models.generateContent({ model, contents: 'scene:text', config })
    expect(text.text).not.toBe('')
    expect(text.usageMetadata?.promptTokenCount).toBe(100)
    const call = await google().models.generateContent({ model, contents: 'scene:tools', config })
    const pieces = await streamed(model, 'scene:tools', config)
    const [said] = call.functionCalls ?? []
    expect(said?.name).toBeTypeOf('string')
    expect(pieces.flatMap(({ functionCalls }) => functionCalls ?? [])[0]).toEqual(said)
    const answered = await google().models.generateContent({
      model,
      config,
      contents: [
        { role: 'user', parts: [{ text: 'scene:text' }] },
        call.candidates?.[0]?.content ?? {},
        {
          role: 'user',
          parts: (call.functionCalls ?? []).map(({ id, name }) => ({
            functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: 'sunny' } },
          })),
        },
      ],
    })
    expect(answered.candidates?.[0]?.finishReason).toBe('STOP')
  })

  test('counts tokens', async () => {
    const { totalTokens } = await google().models.countTokens({ model: 'demo', contents: 'Hello there' })
    expect(totalTokens).toBeGreaterThan(0)
  })

  test('is refused in its own words', async () => {
    const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)
    const missing = await errorOf(google().models.generateContent({ model: 'none', contents: 'Hello' }))
    expect(missing).toBeInstanceOf(ApiError)
    expect(missing).toMatchObject({ status: 404, message: expect.stringContaining('model_not_found') })
    const search = { tools: [{ googleSearch: {} }] }
    const asked = { model: 'acme/m1', contents: 'scene:text', config: search }
    expect(await errorOf(google().models.generateContent(asked))).toMatchObject({
      status: 400,
      message: expect.stringContaining('cannot_translate'),
    })
    expect(
      await errorOf(google('svc_gw_none').models.generateContent({ model: 'demo', contents: 'Hello' })),
    ).toMatchObject({ status: 401, message: expect.stringContaining('UNAUTHENTICATED') })
  })
})

test('a call is a row of its dialect, and a key in Authorization is the one that counts', async () => {
  const answer = await fetch(`${gatewayUrl()}/v1beta/models/acme/m1:generateContent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.key}`, 'x-goog-api-key': 'placeholder' },
    body: JSON.stringify({ contents: [{ parts: [{ text: 'scene:text' }] }] }),
  })
  expect(answer.status).toBe(200)
  const row = await platform.base.db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('call_id', '=', answer.headers.get('x-svc-call-id') ?? '')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    dialect: 'generate_content',
    status: 'settled',
    model: 'acme/m1',
    input_tokens: 100,
    output_tokens: 20,
    finish: 'STOP',
  })
})

test('an address without a method, and a stream that is no stream of events, are told so', async () => {
  const asked = (path: string) =>
    fetch(`${gatewayUrl()}/v1beta/models/${path}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': platform.key },
      body: '{"contents":[{"parts":[{"text":"Hello"}]}]}',
    })
  const none = await asked('demo:embedContent')
  expect(none.status).toBe(404)
  expect(await none.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' }, code: 'not_found' })
  const list = await asked('demo:streamGenerateContent')
  expect(await list.json()).toMatchObject({ status: 400, message: expect.stringContaining('alt=sse') })
})
