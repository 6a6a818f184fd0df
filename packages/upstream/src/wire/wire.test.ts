import { gzipSync } from 'node:zlib'
import { guardedWire } from '@svc/outbound'
import { describe, expect, test } from 'vitest'
import { createProviders } from '../providers.ts'
import { serve } from '../testing/service.ts'
import { connectorOf, localProviders, loopback, optionsOf, targetOf } from '../testing/target.ts'

const chunk = Buffer.alloc(64 * 1024, 'x')
let written = 0
const service = serve((req, res) => {
  const path = (req.url ?? '').split('?')[0]
  if (path === '/endless') {
    const more = (): void => {
      if (res.destroyed) return
      written += chunk.length
      if (res.write(chunk)) setImmediate(more)
      else res.once('drain', more)
    }
    return more()
  }
  if (path === '/bomb')
    return void res
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
  if (path === '/drip') return void res.writeHead(200, { 'content-type': 'text/plain' }).write('a')
  if (path === '/hang') return
  if (path === '/reset') return void req.socket.destroy()
  if (path === '/big')
    return void res.setHeader('content-type', 'application/json').end(JSON.stringify('é'.repeat(1024 * 1024)))
  if (path === '/deep')
    return void res
      .setHeader('content-type', 'application/json')
      .end('['.repeat(200_000) + ']'.repeat(200_000))
  if (path === '/image')
    return void res.setHeader('content-type', 'image/png').end(Buffer.from([137, 80, 78, 71, 0, 255]))
  if (path === '/away') return void res.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()
  if (path === '/cached') return void res.writeHead(304).end()
  if (path === '/cookie') return void res.setHeader('set-cookie', 'session=1').end('fine')
  if (path === '/missing')
    return void res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"none"}')
  res.setHeader('content-type', 'application/json')
  res.setHeader('x-echo', String(req.headers.authorization ?? ''))
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers }))
})

const connector = (more = {}) => connectorOf({ provider: 'http', base_url: service.url, ...more })
const call = (
  path: string,
  more: { connector?: object; target?: object; options?: object; args?: object; action?: string } = {},
) => {
  const counted = optionsOf(more.options)
  const target = targetOf(connector(more.connector), more.target)
  const action = { action: more.action ?? 'get', binding: {}, risk: 'read' } as const
  const outcome = localProviders().http?.call(target, action, { path, ...more.args }, counted.options)
  return Promise.resolve(outcome).then((ended) => ({ ended, begun: counted.begun }))
}

describe('bounds', () => {
  test('an endless answer is not read to its end', async () => {
    const { ended } = await call('/endless')
    expect(ended).toMatchObject({ ok: false, reason: 'response_too_large', sent: true, upstream_status: 200 })
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })
  test('a small answer that unpacks to a large one is not unpacked', async () => {
    const { ended } = await call('/bomb')
    expect(ended).toMatchObject({ ok: false, reason: 'response_too_large', bytes_in: 8 * 1024 * 1024 })
  })
  test('an answer that drips ends in an unknown outcome', async () => {
    const { http } = createProviders({ wire: guardedWire(loopback, { idle_ms: 300 }) }).of
    const action = { action: 'post', binding: {}, risk: 'write' } as const
    const ended = await http?.call(targetOf(connector()), action, { path: '/drip' }, optionsOf().options)
    expect(ended).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true, upstream_status: 200 })
  })
  test('a large answer is cut between letters and says so', async () => {
    const { ended } = await call('/big')
    if (ended?.ok !== true) return expect.fail(JSON.stringify(ended))
    const body = String(Object(ended.data).body)
    expect(ended.truncated).toBe(true)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024)
    expect(body).toMatch(/^"é+$/)
  })
  test('an answer that nests without end stays a text', async () => {
    const { ended } = await call('/deep')
    expect(ended).toMatchObject({ ok: true, data: { body: expect.stringMatching(/^\[{1000}/) } })
  })
})

describe('reasons', () => {
  test.each([
    [
      '/missing',
      { reason: 'upstream_error', upstream_status: 404, data: { status: 404, body: { error: 'none' } } },
    ],
    [
      '/away',
      {
        reason: 'redirect_refused',
        upstream_status: 307,
        message: expect.stringContaining('169.254.169.254'),
      },
    ],
    ['/reset', { reason: 'outcome_unknown', sent: true, upstream_status: null }],
  ])('%s', async (path, expected) => {
    const { ended, begun } = await call(path)
    expect(ended).toMatchObject({ ok: false, sent: true, ...expected })
    expect(begun).toBe(1)
  })
  test('time that ends after the call was begun leaves its outcome unknown', async () => {
    const { ended } = await call('/hang', { options: { signal: AbortSignal.timeout(200) } })
    expect(ended).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true })
  })
  test('time that ends before anything is sent is a timeout', async () => {
    const before = service.requests
    const { ended, begun } = await call('/', { options: { signal: AbortSignal.abort() } })
    expect(ended).toMatchObject({ ok: false, reason: 'upstream_timeout', sent: false })
    expect([begun, service.requests]).toEqual([0, before])
  })
  test('time that ends while the call is written down is a timeout', async () => {
    const stop = new AbortController()
    const options = { signal: stop.signal, beforeSend: async () => stop.abort() }
    const { ended } = await call('/', { options })
    expect(ended).toMatchObject({ ok: false, reason: 'upstream_timeout', sent: false })
  })
  test.each([
    ['http://127.0.0.1:65534', 'upstream_unreachable'],
    ['http://127.0.0.1:6667', 'address_not_allowed'],
    ['https://169.254.169.254', 'address_not_allowed'],
    ['https://[::ffff:10.0.0.1]', 'address_not_allowed'],
    ['https://3232235777', 'address_not_allowed'],
    ['http://8.8.8.8', 'address_not_allowed'],
  ])('%s was not asked', async (base_url, reason) => {
    const { ended } = await call('/', { connector: { base_url } })
    expect(ended).toMatchObject({ ok: false, reason, sent: false, bytes_out: 0 })
  })
  test('a port that speaks no TLS was not asked', async () => {
    const { ended } = await call('/', { connector: { base_url: service.url.replace('http:', 'https:') } })
    expect(ended).toMatchObject({ ok: false, reason: 'upstream_unreachable', sent: false })
  })
  test('what cannot be written down is not sent', async () => {
    const before = service.requests
    const beforeSend = () => Promise.reject(new Error('no database'))
    await expect(call('/', { options: { beforeSend } })).rejects.toThrow('no database')
    expect(service.requests).toBe(before)
  })
})

describe('headers', () => {
  test.each(['Host', 'connection', 'Transfer-Encoding', 'Content-Length', 'Proxy-Authorization', 'Cookie'])(
    '%s is not settable',
    async (name) => {
      const before = service.requests
      const { ended } = await call('/', { args: { headers: { [name]: 'x' } } })
      expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
      const fixed = await call('/', { connector: { headers: { [name]: 'x' } } })
      expect(fixed.ended).toMatchObject({ ok: false, reason: 'connector_unusable', sent: false })
      expect(service.requests).toBe(before)
    },
  )
  test.each([
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a\r\nx-c': 'd' },
    { 'x-a': 'b\0' },
    { 'x a': 'b' },
    { 'x-a': 'Ω' },
  ])('%j is refused', async (headers) => {
    const { ended } = await call('/', { args: { headers } })
    expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
  })
  test("the connector's stand above the call's, and the credential above both", async () => {
    const { ended } = await call('/', {
      connector: { headers: { 'X-Tenant': 'ours', Authorization: 'static' }, auth: { type: 'bearer' } },
      target: { credential: { token: 'secret-token-1' } },
      args: { headers: { 'x-tenant': 'theirs', authorization: 'mine', accept: 'text/plain' } },
    })
    expect(ended).toMatchObject({
      ok: true,
      data: {
        body: { headers: { 'x-tenant': 'ours', authorization: 'Bearer [redacted]', accept: 'text/plain' } },
      },
    })
  })
  test('the key of a call goes into the header that the connector names', async () => {
    const { ended } = await call('/', { connector: { idempotency_header: 'Idempotency-Key' } })
    const key = '0190c0de-0000-7000-8000-000000000001'
    expect(ended).toMatchObject({ data: { body: { headers: { 'idempotency-key': key } } } })
  })
  test('a cookie is a credential, and is not handed on', async () => {
    const { ended } = await call('/cookie')
    expect(ended).toMatchObject({ ok: true, data: { body: 'fine' } })
    expect(JSON.stringify(ended)).not.toContain('session=1')
  })
})

test('a credential that is echoed is not said', async () => {
  const { ended } = await call('/', {
    connector: { auth: { type: 'basic' } },
    target: { credential: { username: 'robert', password: 'correct horse' } },
    args: { query: { q: 'correct horse' } },
  })
  expect(ended).toMatchObject({ ok: true })
  const said = JSON.stringify(ended)
  expect(said).toContain('[redacted]')
  for (const form of [
    'correct horse',
    'correct%20horse',
    'correct+horse',
    btoa('robert:correct horse'),
    btoa('correct horse'),
  ])
    expect(said).not.toContain(form)
})

test('a connection is not sent to another origin than it was made for', async () => {
  const before = service.requests
  const { ended, begun } = await call('/', { target: { origin: 'https://api.example' } })
  expect(ended).toMatchObject({ ok: false, reason: 'connector_changed', sent: false })
  expect([begun, service.requests]).toEqual([0, before])
  expect((await call('/', { target: { origin: service.url } })).ended).toMatchObject({ ok: true })
})

test('bytes that are no text are carried in base64', async () => {
  expect((await call('/image')).ended).toMatchObject({ data: { body: 'iVBORwD/', encoding: 'base64' } })
})

test('an answer without a body, and one to a condition', async () => {
  expect((await call('/cached')).ended).toMatchObject({ ok: true, upstream_status: 304, data: { body: '' } })
  expect((await call('/', { action: 'head' })).ended).toMatchObject({ ok: true, bytes_in: 0 })
})
