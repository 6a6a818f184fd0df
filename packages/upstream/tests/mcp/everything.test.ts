import { afterEach, expect, test } from 'vitest'
import { mcpProvider } from '../../src/index.ts'
import { startEverything } from '../support/everything.ts'
import { mcpOptions } from '../support/mcp-options.ts'
import { callOptions, mcpTarget } from '../support/target.ts'
import { loopbackWire } from '../support/wire.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(transport: 'http' | 'sse') {
  const server = await startEverything(transport === 'sse' ? 'sse' : 'streamableHttp')
  const { wire, sent, close } = loopbackWire()
  const provider = mcpProvider(mcpOptions(wire))
  closers.push(server.close, close, provider.close)
  return { server, provider, sent, target: mcpTarget(server.url, { transport, session_scope: 'project-1' }) }
}

test.each(['http', 'sse'] as const)(
  'tools of the reference server are listed and called over %s',
  async (transport) => {
    const { provider, target, sent } = await start(transport)
    const actions = await provider.list(target, AbortSignal.timeout(60_000))
    const echo = actions.find(({ action }) => action === 'echo')
    expect(echo).toMatchObject({
      binding: { tool: 'echo' },
      input_schema: { type: 'object', required: ['message'] },
    })
    expect(actions.map(({ action }) => action)).not.toContain('trigger-sampling-request')

    const { options, sends } = callOptions()
    const called = await provider.call(
      target,
      { action: 'echo', binding: {}, risk: 'read' },
      { message: 'hi' },
      options,
    )
    expect(called).toMatchObject({
      ok: true,
      truncated: false,
      data: { content: [{ type: 'text', text: 'Echo: hi' }], structured_content: null },
    })
    expect(called.bytes_out).toBeGreaterThan(20)
    expect(called.bytes_in).toBeGreaterThan(20)
    expect(sends).toHaveLength(1)
    const posts = sent.filter(({ method, body }) => method === 'POST' && body.includes('"initialize"'))
    expect(posts).toHaveLength(1)
    expect(posts[0]?.headers).toMatchObject({ 'x-team': 'blue' })

    const structured = await provider.call(
      target,
      { action: 'get-structured-content', binding: {}, risk: 'read' },
      { location: 'Chicago' },
      callOptions().options,
    )
    expect(structured).toMatchObject({
      ok: true,
      data: { structured_content: { conditions: expect.any(String) } },
    })
  },
)

test.each(['http', 'sse'] as const)('progress is passed on over %s', async (transport) => {
  const { provider, target } = await start(transport)
  const notes: string[] = []
  const { options } = callOptions({ onProgress: (text) => void notes.push(text) })
  const call = { action: 'trigger-long-running-operation', binding: {}, risk: 'read' } as const
  expect(await provider.call(target, call, { duration: 0.3, steps: 3 }, options)).toMatchObject({ ok: true })
  // The SDK may hand on the result before the note that came just before it.
  expect(notes.slice(0, 2)).toEqual(['1 of 3', '2 of 3'])
})

test('a session that the server forgot is opened again, and the call is made once', async () => {
  const { server, provider, target, sent } = await start('http')
  const echo = { action: 'echo', binding: {}, risk: 'read' } as const
  expect(await provider.call(target, echo, { message: 'one' }, callOptions().options)).toMatchObject({
    ok: true,
  })
  await server.close()
  const { options: offline, sends: none } = callOptions()
  const refused = await provider.call(target, echo, { message: 'two' }, offline)
  expect(refused).toMatchObject({ ok: false, reason: 'upstream_unreachable', sent: false })
  expect(none).toHaveLength(1)

  const again = await startEverything('streamableHttp', server.port)
  closers.push(again.close)
  const { options, sends } = callOptions()
  expect(await provider.call(target, echo, { message: 'three' }, options)).toMatchObject({
    ok: true,
    data: { content: [{ text: 'Echo: three' }] },
  })
  expect(sends).toHaveLength(1)
  expect(sent.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(2)
})

test('an unknown tool and arguments that the server refuses are errors with its words', async () => {
  const { provider, target } = await start('http')
  const outcome = await provider.call(
    target,
    { action: 'none', binding: {}, risk: 'read' },
    {},
    callOptions().options,
  )
  expect(outcome).toMatchObject({ ok: false, reason: 'upstream_error', sent: true, upstream_status: 200 })
  expect(outcome.ok ? '' : outcome.message).toMatch(/none/)
})
