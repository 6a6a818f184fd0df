import { afterEach, expect, test } from 'vitest'
import { mcpProvider, type Target, UpstreamRefusal } from '../../src/index.ts'
import { oddServer } from '../../src/testing/odd-server.ts'
import { mcpOptions } from '../support/mcp-options.ts'
import { callOptions, mcpTarget } from '../support/target.ts'
import { loopbackWire } from '../support/wire.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Options = Partial<Parameters<typeof mcpProvider>[0]>

async function start(oddities: Parameters<typeof oddServer>[0], more: Options = {}) {
  const server = await oddServer(oddities)
  const { wire, sent, close } = loopbackWire()
  const provider = mcpProvider({ ...mcpOptions(wire), ...more })
  closers.push(server.close, close, provider.close)
  return { server, provider, sent, target: mcpTarget(server.url, { session_scope: 'project-1' }) }
}

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })
const action = (name: string) => ({ action: name, binding: { tool: name }, risk: 'read' }) as const
const soon = () => AbortSignal.timeout(30_000)

test('every page of tools is read, entries that are none are left out, and annotations name the risk', async () => {
  const { provider, target } = await start({
    pages: (page) =>
      [
        { tools: [tool('a', { annotations: { readOnlyHint: true, title: 'Ay' } }), { name: 7 }], next: '1' },
        { tools: [tool('b', { annotations: { destructiveHint: false } }), tool('a')], next: '2' },
        {
          tools: [
            tool('c', { title: 'See', description: 'Looks.', annotations: { readOnlyHint: 'yes' } }),
            tool('d'),
          ],
        },
      ][page] ?? { tools: [] },
  })
  const actions = await provider.list(target, soon())
  expect(actions.map(({ action, risk, title, description }) => [action, risk, title, description])).toEqual([
    ['a', 'read', 'Ay', ''],
    ['b', 'write', null, ''],
    ['c', 'destructive', 'See', 'Looks.'],
    ['d', 'destructive', null, ''],
  ])
})

test('too many tools and pages without an end are refused', async () => {
  const many = Array.from({ length: 5_001 }, (_, n) => tool(`t${n}`))
  const full = await start({ tools: () => many })
  await expect(full.provider.list(full.target, soon())).rejects.toThrow(/more than 5000 tools/)
  const round = await start({ pages: () => ({ tools: [], next: '1' }) })
  await expect(round.provider.list(round.target, soon())).rejects.toThrow(/without an end/)
})

test('a session that the server forgot is opened again for a call and for a list', async () => {
  const { server, provider, target } = await start({ tools: () => [tool('a')] })
  await provider.call(target, action('a'), {}, callOptions().options)
  server.forget()
  const { options, sends } = callOptions()
  expect(await provider.call(target, action('a'), {}, options)).toMatchObject({ ok: true })
  server.forget()
  expect(await provider.list(target, soon())).toHaveLength(1)
  expect([server.calls.length, server.opened(), sends.length]).toEqual([2, 3, 1])
})

test('one session serves a connection with its newest token, and without a scope none is kept', async () => {
  const { server, provider, target, sent } = await start({})
  const withToken = (access_token: string) => ({ ...target, credential: { access_token } })
  await provider.call(withToken('one'), action('a'), {}, callOptions().options)
  await provider.call(withToken('two'), action('a'), {}, callOptions().options)
  expect(server.opened()).toBe(1)
  const calls = sent.filter(({ body }) => body.includes('tools/call'))
  expect(calls.map(({ headers }) => headers['authorization'])).toEqual(['Bearer one', 'Bearer two'])
  await provider.call({ ...target, session_scope: 'project-2' }, action('a'), {}, callOptions().options)
  const { session_scope: _, ...scopeless } = target
  await provider.call(scopeless, action('a'), {}, callOptions().options)
  await provider.call(scopeless, action('a'), {}, callOptions().options)
  expect(server.opened()).toBe(4)
  await expect.poll(() => server.sessions.size).toBe(2)
})

test('the longest unused session is closed for another, idle ones are, and close ends the rest', async () => {
  const { server, provider, target } = await start({}, { limits: { max_sessions: 2, idle_ms: 600_000 } })
  for (const scope of ['a', 'b', 'a', 'c'])
    await provider.call({ ...target, session_scope: scope }, action('a'), {}, callOptions().options)
  await expect.poll(() => server.sessions.size).toBe(2)
  await provider.call({ ...target, session_scope: 'a' }, action('a'), {}, callOptions().options)
  expect(server.opened()).toBe(3)
  await provider.close()
  expect(server.sessions.size).toBe(0)

  const idle = await start({}, { limits: { max_sessions: 2, idle_ms: 20 } })
  await idle.provider.call(idle.target, action('a'), {}, callOptions().options)
  await expect.poll(() => idle.server.sessions.size).toBe(0)
})

test('a server that says that its tools changed is passed on', async () => {
  const changed: Target[] = []
  const { server, provider, target } = await start({}, { onListChanged: (of) => void changed.push(of) })
  await provider.call(target, action('a'), {}, callOptions().options)
  await expect
    .poll(async () => {
      for (const { server: one } of server.sessions.values()) await one.sendToolListChanged()
      return changed.length
    })
    .toBeGreaterThan(0)
  expect(changed[0]).toMatchObject({ connector: { slug: 'tools' }, session_scope: 'project-1' })
})

test('a tool that asks for a model, for roots or for a person is declined', async () => {
  const refusals: unknown[] = []
  const { provider, target } = await start({
    call: async (_, { server }) => {
      const asks = [
        server.request({ method: 'roots/list' }, {} as never),
        server.request(
          { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
          {} as never,
        ),
        server.request(
          {
            method: 'elicitation/create',
            params: { message: 'x', requestedSchema: { type: 'object', properties: {} } },
          },
          {} as never,
        ),
      ]
      for (const { reason } of (await Promise.allSettled(asks)) as PromiseRejectedResult[])
        refusals.push(reason)
      return { content: [{ type: 'text', text: 'done' }] }
    },
  })
  expect(await provider.call(target, action('a'), {}, callOptions().options)).toMatchObject({ ok: true })
  expect(refusals.map(String)).toEqual(Array(3).fill(expect.stringMatching(/-32601|does not support/)))
})

test('a slow tool ends by the signal of its call, as unknown, and the server is notified', async () => {
  const ends: string[] = []
  const limit = new AbortController()
  const { provider, target } = await start({
    call: (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ends.push('cancelled')
          reject(new Error('cancelled'))
        })
        limit.abort(new Error('the limit'))
      }),
  })
  const { options } = callOptions({ signal: limit.signal })
  const outcome = await provider.call(target, action('a'), {}, options)
  expect(outcome).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true })
  await expect.poll(() => ends).toEqual(['cancelled'])

  const { options: late, sends } = callOptions({ signal: AbortSignal.abort() })
  expect(await provider.call(target, action('a'), {}, late)).toMatchObject({
    reason: 'upstream_timeout',
    sent: false,
  })
  expect(sends).toEqual([])
})

test('a failure before the send sends nothing', async () => {
  const { server, provider, target } = await start({})
  const { options } = callOptions({ beforeSend: async () => Promise.reject(new Error('no row')) })
  await expect(provider.call(target, action('a'), {}, options)).rejects.toThrow('no row')
  expect(server.calls).toEqual([])
})

test('results that are errors carry their data; long ones are cut, and above 8 MiB none is read', async () => {
  const { provider, target } = await start({
    call: async (name) => {
      const text = 'x'.repeat(name === 'huge' ? 9_000_000 : 2_000_000)
      if (name === 'fails') return { isError: true, content: [{ type: 'text', text: 'No such issue' }] }
      return {
        content: [
          { type: 'text', text: 'first' },
          { type: 'text', text },
        ],
      }
    },
  })
  const failing = await provider.call(target, action('fails'), {}, callOptions().options)
  expect(failing).toMatchObject({
    ok: false,
    reason: 'upstream_error',
    message: 'No such issue',
    sent: true,
    data: { content: [{}] },
  })
  const long = await provider.call(target, action('long'), {}, callOptions().options)
  expect(long).toMatchObject({
    ok: true,
    truncated: true,
    data: { content: [{ text: 'first' }, { type: 'text' }] },
  })
  expect(JSON.stringify(long).length).toBeLessThan(1024 * 1024 + 1_000)
  const huge = await provider.call(target, action('huge'), {}, callOptions().options)
  expect(huge).toMatchObject({ ok: false, reason: 'response_too_large', sent: true })
})

test('an answer that ends without a result is unknown', async () => {
  const { provider, target } = await start({
    before: (_, res, body) => {
      if (!body.includes('tools/call')) return false
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')
      return true
    },
  })
  expect(await provider.call(target, action('a'), {}, callOptions().options)).toMatchObject({
    ok: false,
    reason: 'outcome_unknown',
    sent: true,
  })
})

test.each([
  [401, {}, 'connector_not_connected', false],
  [302, { location: 'http://127.0.0.1:1/' }, 'redirect_refused', false],
  [307, { location: '/mcp' }, 'redirect_refused', false],
  [503, {}, 'upstream_error', false],
] as const)('a server that answers %i is refused', async (status, headers, reason, sent) => {
  const { provider, target } = await start({
    before: (_, res) => {
      res.writeHead(status, headers).end('no')
      return true
    },
  })
  expect(await provider.call(target, action('a'), {}, callOptions().options)).toMatchObject({
    ok: false,
    reason,
    sent,
  })
  const refusal = await provider.list(target, soon()).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UpstreamRefusal)
  expect(refusal).toMatchObject({ reason })
})

test('a refused credential asks to connect again, and private addresses are not asked', async () => {
  const { provider, target } = await start({
    before: (_, res, body) => {
      if (!body.includes('tools/call')) return false
      res.writeHead(401).end()
      return true
    },
  })
  const known = { ...target, credential: { access_token: 'old' } }
  expect(await provider.call(known, action('a'), {}, callOptions().options)).toMatchObject({
    ok: false,
    reason: 'connection_expired',
    upstream_status: 401,
  })
  const { wire, close } = loopbackWire({ open: [] })
  const guarded = mcpProvider(mcpOptions(wire))
  closers.push(close)
  expect(await guarded.call(target, action('a'), {}, callOptions().options)).toMatchObject({
    reason: 'address_not_allowed',
    sent: false,
  })
  expect(await guarded.origin(target)).toBe(
    new URL(target.connector.provider === 'mcp' ? target.connector.url : '').origin,
  )
})

test('a credential that a server echoes is taken out of results, progress, errors and descriptions', async () => {
  const { provider, target } = await start({
    tools: () => [tool('a', { title: 'hunter22', description: 'Uses hunter22.' })],
    call: async (name) => ({ isError: name === 'fails', content: [{ type: 'text', text: 'hunter22 here' }] }),
  })
  const known = { ...target, credential: { access_token: 'hunter22' } }
  const said = [
    await provider.list(known, soon()),
    await provider.call(known, action('a'), {}, callOptions().options),
    await provider.call(known, action('fails'), {}, callOptions().options),
  ]
  expect(JSON.stringify(said)).not.toContain('hunter22')
  expect(JSON.stringify(said).match(/\[redacted\]/g)).toHaveLength(5)
})
