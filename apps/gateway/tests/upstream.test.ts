import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Deadlines } from '../src/upstream/deadlines.ts'
import type { Upstream } from '../src/index.ts'
import { startGateway } from '../src/serve.ts'
import { hello, post, type TestGateway, testGateway } from './support/gateway.ts'

const deadlines = { connect_ms: 5_000, first_byte_ms: 5_000, idle_ms: 5_000, total_ms: 20_000 }

let platform: TestGateway
beforeAll(async () => {
  platform = await testGateway()
})
afterAll(() => platform.close())

/** The one edit of a streamed chat: its usage is asked for. */
const asSent = (request: object) => JSON.stringify({ ...request, stream_options: { include_usage: true } })

describe('with a provider', () => {
  let server: Server
  let upstream: Upstream
  let answer: RequestListener
  const seen: { url: string; authorization: string; body: string }[] = []

  beforeAll(async () => {
    server = createServer((req, res) => {
      let body = ''
      req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      req.on('end', () => {
        seen.push({ url: req.url ?? '', authorization: req.headers.authorization ?? '', body })
        answer(req, res)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    upstream = {
      base_url: `http://127.0.0.1:${port}/v1/`,
      api_key: 'provider-key',
      model: 'vendor/model:x',
      deadlines,
    }
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })

  const request = {
    model: 'vendor/model:x',
    messages: hello.messages,
    stream: true,
    odd: { kept: [1, null] },
  }

  test('what was asked arrives as it was but for the usage, with the provider’s key and not the caller’s', async () => {
    answer = (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: one\n\ndata: [DONE]\n\n')
    const response = await post(platform.gateway(upstream), request, platform.key)
    expect(await response.text()).toBe('data: one\n\ndata: [DONE]\n\n')
    const measured = await platform.base.metrics.render()
    expect(measured).toMatch(
      /svc_model_request_duration_seconds_count\{.*model="vendor\/model:x",outcome="done"\} 1/,
    )
    expect(measured).toMatch(/svc_model_first_token_seconds_count\{.*model="vendor\/model:x"\} 1/)
    expect(seen.at(-1)).toEqual({
      url: '/v1/chat/completions',
      authorization: 'Bearer provider-key',
      body: asSent(request),
    })
  })

  test('its model is the one that is offered', async () => {
    const response = await platform.gateway(upstream).request('/v1/llm/models', {
      headers: { authorization: `Bearer ${platform.key}` },
    })
    expect(await response.json()).toMatchObject({ data: [{ id: 'vendor/model:x' }] })
    expect((await post(platform.gateway(upstream), hello, platform.key)).status).toBe(404)
  })

  test('the answer comes as it is written, and the provider is left when the caller leaves', async () => {
    let left: Promise<unknown> = Promise.resolve()
    answer = (req, res) => {
      left = once(req.socket, 'close')
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
    }
    const running = await startGateway({ ...platform.base, upstream }, { host: '127.0.0.1', port: 0 })
    const abort = new AbortController()
    const response = await fetch(`http://127.0.0.1:${running.port}/v1/llm/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.key}` },
      body: JSON.stringify(request),
      signal: abort.signal,
    })
    const reader = response.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: first\n\n')
    abort.abort()
    await left
    await running.close()
  })

  test('a conversation may come in pieces, without a length', async () => {
    answer = (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    const running = await startGateway({ ...platform.base, upstream }, { host: '127.0.0.1', port: 0 })
    const text = JSON.stringify(request)
    const response = await fetch(`http://127.0.0.1:${running.port}/v1/llm/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.key}` },
      body: new Blob([text.slice(0, 9), text.slice(9)]).stream(),
      duplex: 'half',
    })
    expect(response.status).toBe(200)
    expect(seen.at(-1)?.body).toBe(asSent(request))
    await running.close()
  })

  test('its refusals are told apart, its key is not', async () => {
    answer = (_req, res) =>
      res.writeHead(401).end(JSON.stringify({ error: { message: 'bad key provider-key' } }))
    const refused = await post(platform.gateway(upstream), request, platform.key)
    expect(refused.status).toBe(502)
    expect(await refused.text()).not.toContain('provider-key')
    answer = (_req, res) =>
      res.writeHead(429, { 'retry-after': '9' }).end(JSON.stringify({ error: { message: 'slow' } }))
    const limited = await post(platform.gateway(upstream), request, platform.key)
    expect(limited.status).toBe(429)
    expect(limited.headers.get('retry-after')).toBe('9')
    expect(await limited.json()).toMatchObject({ error: { message: 'slow' } })
  })

  const stalls: readonly (readonly [string, Partial<Deadlines>, RequestListener])[] = [
    ['first_byte', { first_byte_ms: 100 }, () => undefined],
    [
      'idle',
      { idle_ms: 100 },
      (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['idle', { idle_ms: 100 }, (_req, res) => res.writeHead(500).write('half')],
    ['total', { total_ms: 100 }, () => undefined],
    ['total', { total_ms: 100 }, (_req, res) => res.writeHead(200).write('{')],
  ]
  test.each(stalls)(
    'a provider that is silent beyond its %s deadline %j is 504',
    async (deadline, deadlines_given, stalled) => {
      let left: Promise<unknown> = Promise.resolve()
      answer = (req, res) => {
        left = once(req.socket, 'close')
        stalled(req, res)
      }
      const impatient = { ...upstream, deadlines: { ...deadlines, ...deadlines_given } }
      const response = await post(platform.gateway(impatient), request, platform.key)
      expect(response.status).toBe(504)
      expect(await response.json()).toMatchObject({
        error: { type: 'server_error', code: 'model_deadline', deadline, message: expect.any(String) },
        status: 504,
        code: 'model_deadline',
        deadline,
      })
      await left
    },
  )

  test('a provider that takes no connection in time is 504', async () => {
    const mute = createTcpServer()
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    // A connection over TLS is connected once both have shaken hands.
    const impatient = {
      ...upstream,
      base_url: `https://127.0.0.1:${port}`,
      deadlines: { ...deadlines, connect_ms: 100 },
    }
    const response = await post(platform.gateway(impatient), request, platform.key)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: 'model_deadline', deadline: 'connect' })
    mute.close()
  })

  test.each([
    ['idle', { idle_ms: 100 }],
    ['total', { total_ms: 100 }],
  ] as const)(
    'a stream that reaches its %s deadline ends with the refusal as its last event',
    async (deadline, most) => {
      let left: Promise<unknown> = Promise.resolve()
      answer = (req, res) => {
        left = once(req.socket, 'close')
        res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
      }
      const impatient = { ...upstream, deadlines: { ...deadlines, ...most } }
      const response = await post(platform.gateway(impatient), request, platform.key)
      const [first, last = ''] = (await response.text()).trim().split('\n\n')
      expect(first).toBe('data: first')
      expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({
        error: { code: 'model_deadline', deadline },
        status: 504,
      })
      await left
    },
  )

  test('a caller that leaves before the answer begins ends the provider’s work', async () => {
    const asked = new Promise<IncomingMessage>((resolve) => (answer = (req) => resolve(req)))
    const running = await startGateway({ ...platform.base, upstream }, { host: '127.0.0.1', port: 0 })
    const abort = new AbortController()
    const response = fetch(`http://127.0.0.1:${running.port}/v1/llm/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.key}` },
      body: JSON.stringify(request),
      signal: abort.signal,
    })
    const { socket } = await asked
    const left = once(socket, 'close')
    abort.abort()
    await expect(response).rejects.toThrow()
    await left
    await running.close()
  })

  test('a provider that is away is 502', async () => {
    const response = await post(
      platform.gateway({ ...upstream, base_url: 'http://127.0.0.1:1/v1' }),
      request,
      platform.key,
    )
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ code: 'model_unreachable' })
  })

  test('the log holds neither words nor keys', () => {
    const text = platform.lines.join('')
    expect(text).toContain('model request')
    for (const secret of ['Hello', 'provider-key', platform.key, platform.user_token])
      expect(text).not.toContain(secret)
  })
})
