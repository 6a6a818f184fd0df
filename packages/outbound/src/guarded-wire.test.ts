import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guardedWire } from './guarded-wire.ts'
import { RefusedTarget } from './target.ts'

const seen: string[] = []
const server = createServer((req, res) => {
  seen.push(`${req.method} ${req.url} ${req.headers.host}`)
  if (req.url === '/away') return void res.writeHead(302, { location: '/other' }).end()
  if (req.url === '/gzip') return void res.setHeader('content-encoding', 'gzip').end(gzipSync('plain'))
  if (req.url === '/silent') return void res.write('begun')
  if (req.url === '/proxied') return void res.end('direct')
  req.pipe(res)
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = Object(server.address()).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = { open: ['127.0.0.0/8', '::1/128'] }
const signal = AbortSignal.timeout(60_000)
const get = (url: string, headers = {}) => ({ method: 'GET', url: new URL(url), headers, body: null })
const refusalOf = (error: unknown): unknown =>
  error instanceof RefusedTarget ? error : refusalOf(Object(error).cause ?? expect.fail(String(error)))

describe('no connection is made to', () => {
  test.each([
    'http://127.0.0.1',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/',
    'https://localhost/',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'blob:https://x/y',
    'http://8.8.8.8/',
  ])('%s', async (url) => {
    const failed = await guardedWire({ open: [] })(get(url), signal).catch(refusalOf)
    expect(failed).toBeInstanceOf(RefusedTarget)
  })
})

test('a name that changes its mind is refused by the connection that would go there', async () => {
  const answers = [['127.0.0.1'], ['8.8.8.8', '10.0.0.1']]
  const wire = guardedWire({ open: ['127.0.0.0/8'] }, { lookup: async () => answers.shift() ?? [] })
  const url = `http://service.example:${port}/`
  expect((await wire({ ...get(url), method: 'POST', body: Buffer.from('x') }, signal)).status).toBe(200)
  const other = get(`http://service.example:${port + 1}/`)
  expect(await wire(other, signal).catch(refusalOf)).toBeInstanceOf(RefusedTarget)
  await wire.close()
})

test('a redirect is an answer, and is not followed', async () => {
  const answer = await guardedWire(open)(get(`http://127.0.0.1:${port}/away`), signal)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/other'])
  expect(seen.join()).not.toContain('/other')
})

test('what a service compressed arrives as it was', async () => {
  const answer = await guardedWire(open)(get(`http://127.0.0.1:${port}/gzip`), signal)
  expect(await answer.text()).toBe('plain')
})

test('an answer that falls silent ends, unless its request accepts a stream', async () => {
  const wire = guardedWire(open, { idle_ms: 300 })
  const url = `http://127.0.0.1:${port}/silent`
  const silent = await wire(get(url), signal)
  await expect(silent.text()).rejects.toThrow()
  const stop = new AbortController()
  const stream = await wire(get(url, { Accept: 'application/json, text/event-stream' }), stop.signal)
  const rest = stream.text().then(
    () => 'ended',
    () => 'stopped',
  )
  expect(await Promise.race([rest, new Promise((done) => setTimeout(done, 2_500, 'open'))])).toBe('open')
  stop.abort()
  expect(await rest).toBe('stopped')
})

test('variables that name a proxy are not read', async () => {
  const before = process.env['HTTP_PROXY']
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  try {
    const answer = await guardedWire(open)(get(`http://127.0.0.1:${port}/proxied`), signal)
    expect(await answer.text()).toBe('direct')
  } finally {
    if (before === undefined) delete process.env['HTTP_PROXY']
    else process.env['HTTP_PROXY'] = before
  }
})
