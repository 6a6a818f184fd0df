import { mkdtemp, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Check, type InternalServer, startInternalServer } from './internal-server.ts'
import { createMetrics } from './metrics/metrics.ts'

let server: InternalServer | undefined
afterEach(() => server?.close())

async function start(checks: Record<string, Check>, on_failed_check?: (name: string) => void) {
  server = await startInternalServer({
    host: '127.0.0.1',
    port: 0,
    checks,
    metrics: createMetrics('api'),
    check_ms: 50,
    ...(on_failed_check ? { on_failed_check } : {}),
  })
  const url = `http://127.0.0.1:${server.port}`
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(url + path, { method })
    return { status: response.status, body: await response.text() }
  }
  return { server, get }
}

test('is live as soon as it answers, and ready when every check passes', async () => {
  const { get } = await start({ postgres: async () => 1, queue: async () => undefined })
  expect(await get('/healthz')).toMatchObject({ status: 200 })
  expect(await get('/readyz?verbose')).toEqual({ status: 200, body: '{"status":"ready"}' })
})

test('says which checks fail or hang, and not why', async () => {
  const reported: string[] = []
  const { get } = await start(
    {
      postgres: async () => {
        throw new Error('password authentication failed for hunter2')
      },
      queue: () => new Promise(() => undefined),
      disk: async () => undefined,
    },
    (name) => void reported.push(name),
  )
  expect(await get('/readyz')).toEqual({
    status: 503,
    body: '{"status":"unready","failed":["postgres","queue"]}',
  })
  expect(reported.sort()).toEqual(['postgres', 'queue'])
  expect(await get('/healthz')).toMatchObject({ status: 200 })
})

test('a draining process is live and not ready', async () => {
  const { get, server } = await start({})
  server.drain()
  expect(await get('/readyz')).toEqual({ status: 503, body: '{"status":"draining"}' })
  expect(await get('/healthz')).toMatchObject({ status: 200 })
})

test('shows the metrics, and nothing else', async () => {
  const { get } = await start({})
  expect((await get('/metrics')).body).toContain('nodejs_version_info')
  expect((await get('/')).status).toBe(404)
  expect((await get('/healthz', 'POST')).status).toBe(405)
})

test('metrics with a token are told to who shows it alone; health asks for none', async () => {
  server = await startInternalServer({
    host: '127.0.0.1',
    port: 0,
    checks: {},
    metrics: createMetrics('api'),
    metrics_token: 'a-long-metrics-token',
  })
  const url = `http://127.0.0.1:${server.port}`
  const status = async (authorization?: string, path = '/metrics') => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await fetch(url + path, { headers })
    return response.status
  }
  for (const wrong of [
    undefined,
    '',
    'Bearer',
    'Bearer x',
    'Bearer a-long-metrics-toke',
    'Basic a-long-metrics-token',
  ])
    expect(await status(wrong), wrong).toBe(401)
  expect(await status('Bearer a-long-metrics-token')).toBe(200)
  expect(await status(undefined, '/healthz')).toBe(200)
  expect(await status(undefined, '/readyz')).toBe(200)
})

test('a port in use is an error at the start', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const metrics = createMetrics('api')
  await expect(startInternalServer({ host: '127.0.0.1', port, checks: {}, metrics })).rejects.toThrow(
    'EADDRINUSE',
  )
  other.close()
})

test('listens on a socket too, in place of one that was left behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-boot-'))
  const socket = join(folder, 'internal.sock')
  const metrics = createMetrics('api')
  const first = await startInternalServer({ socket, checks: {}, metrics })
  server = await startInternalServer({ socket, checks: {}, metrics })
  const response = request({ socketPath: socket, path: '/healthz' }).end()
  const [{ statusCode }] = await once(response, 'response')
  expect(statusCode).toBe(200)
  expect((await stat(socket)).isSocket()).toBe(true)
  await first.close()
  await rm(folder, { recursive: true, force: true })
})

test('shows figures beside ready; one that cannot be had is null', async () => {
  server = await startInternalServer({
    host: '127.0.0.1',
    port: 0,
    checks: {},
    metrics: createMetrics('scheduler'),
    check_ms: 50,
    figures: {
      lag_seconds: async () => 1.5,
      hung: () => new Promise<number>(() => undefined),
      broken: () => Promise.reject(new Error('no')),
    },
  })
  const response = await fetch(`http://127.0.0.1:${server.port}/readyz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    status: 'ready',
    figures: { lag_seconds: 1.5, hung: null, broken: null },
  })
})
