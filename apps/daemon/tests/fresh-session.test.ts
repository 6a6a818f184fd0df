import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWireClient } from '../src/runtimes/opencode-wire/client.ts'
import { createTranslator } from '../src/runtimes/opencode-wire/translate.ts'
import type { RuntimeClient, RuntimeSignal } from '../src/runtimes/runtime.ts'
import { listen } from './support/listen.ts'

/** A runtime's server with one idle session, which remembers what it was asked. */
const asked: string[] = []
const streams = new Set<ServerResponse>()
const server = createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? ''
  if (path === '/event') {
    streams.add(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    say(response, { type: 'server.connected', properties: {} })
    return
  }
  asked.push(`${request.method} ${path}`)
  const bodies: Record<string, unknown> = { 'POST /session': { id: 'ses_1' }, 'GET /session/status': {} }
  const body = path.endsWith('/prompt_async') ? undefined : (bodies[`${request.method} ${path}`] ?? [])
  response.writeHead(body === undefined ? 204 : 200, { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
})
const say = (stream: ServerResponse, event: object): void => {
  stream.write(`data: ${JSON.stringify(event)}\n\n`)
}

let at: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  at = await listen(server, '127.0.0.1')
})
afterAll(() => at.close())
beforeEach(() => {
  asked.length = 0
  streams.clear()
})

/** A client that hears the server's events, and has just opened a session. */
async function fresh(): Promise<{ client: RuntimeClient; signals: RuntimeSignal[]; stop: AbortController }> {
  const root: { current: string | null } = { current: null }
  const client = createWireClient({
    baseUrl: `http://127.0.0.1:${at.port}`,
    authorization: 'Basic x',
    translator: createTranslator({ root: () => root.current, workspace: '/workspace', now: Date.now }),
    root,
    defaults: { agent: undefined, model: undefined, fallback: undefined },
    qualify: (name) => name,
    gateway: 'svc',
  })
  const stop = new AbortController()
  const signals: RuntimeSignal[] = []
  void client.listen(stop.signal, (signal) => signals.push(signal))
  await expect.poll(() => signals.map(({ kind }) => kind)).toContain('connected')
  expect(await client.openSession(null, 'A title')).toBe('ses_1')
  expect(asked).toEqual(['POST /session'])
  return { client, signals, stop }
}

test('of a session that was just opened nothing is asked before its first prompt', async () => {
  const { client, stop } = await fresh()
  expect(await client.busySessions()).toEqual(new Map())
  expect(await client.marker('ses_1')).toBe(null)
  expect(asked).toEqual(['POST /session'])
  await client.prompt('ses_1', { text: 'hello' })
  await client.busySessions()
  await client.marker('ses_1')
  expect(asked.slice(1)).toEqual([
    'POST /session/ses_1/prompt_async',
    'GET /session/status',
    'GET /session/ses_1/message',
  ])
  stop.abort()
})

test.each([
  [
    'whatever is heard of it',
    () => {
      for (const stream of streams) say(stream, { type: 'session.idle', properties: { sessionID: 'ses_1' } })
    },
  ],
  [
    'a stream that broke',
    () => {
      for (const stream of streams) stream.destroy()
    },
  ],
])('%s ends that', async (_, happens) => {
  const { client, stop } = await fresh()
  happens()
  await expect
    .poll(async () => {
      await client.busySessions()
      return asked
    })
    .toContain('GET /session/status')
  await client.marker('ses_1')
  expect(asked).toContain('GET /session/ses_1/message')
  stop.abort()
})
