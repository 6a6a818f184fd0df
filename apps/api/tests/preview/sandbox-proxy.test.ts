import { once } from 'node:events'
import { type IncomingMessage, request, type RequestListener } from 'node:http'
import { userContextHeader } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Caller } from '../support/platform.ts'
import { type FakeDaemon, fakeDaemon, type RunningSession, runSession } from '../support/sandbox.ts'
import { openWorld } from '../support/world.ts'

const { platform, api } = await openWorld()
let stranger: Caller

beforeAll(async () => {
  stranger = await platform.stranger()
})

const bearer = () => ({ authorization: `Bearer ${platform.owner.token}` })

/** Echoes its request, or behaves as its path says. */
const daemonAnswers: RequestListener = (req, res) => {
  if (req.url?.startsWith('/proxy/3000/silent'))
    return void res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  if (req.url?.startsWith('/proxy/3000/events')) {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    return void res.write('data: first\n\n')
  }
  if (req.url?.startsWith('/proxy/3000/no-status'))
    return void res.socket?.end('HTTP/1.1 099 No\r\nconnection: close\r\n\r\nwords')
  if (req.url?.startsWith('/proxy/3000/other-protocol'))
    return void res.socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    )
  if (req.url?.startsWith('/proxy/3000/broken')) {
    res.writeHead(200, { 'content-length': '100' }).write('half')
    return void setImmediate(() => res.destroy())
  }
  res.writeHead(201, {
    'x-from': 'sandbox',
    'x-request-id': 'forged',
    'service-worker-allowed': '/',
    connection: 'close',
  })
  req.pipe(res)
}

describe.each(['tcp', 'unix', 'https'] as const)('a sandbox on %s', (where) => {
  let daemon: FakeDaemon
  let session: RunningSession
  let base: string

  beforeAll(async () => {
    daemon = await fakeDaemon(daemonAnswers, where)
    session = await runSession(platform, daemon)
    base = `${api.origin}/v1/p/${session.external_id}`
  })
  afterAll(() => daemon.close())

  const last = (): IncomingMessage => {
    const found = daemon.requests.at(-1)
    if (!found) throw new Error('the daemon was not asked')
    return found
  }

  test('a request goes through with its body, query and headers', async () => {
    const response = await fetch(`${base}/3000/a/b?x&y=%20`, {
      method: 'PUT',
      headers: { ...bearer(), 'x-mine': '1' },
      body: 'hello',
    })
    expect(response.status).toBe(201)
    expect(await response.text()).toBe('hello')
    expect(response.headers.get('x-from')).toBe('sandbox')
    expect(last()).toMatchObject({ method: 'PUT', url: '/proxy/3000/a/b?x&y=%20' })
    expect(last().headers).toMatchObject({ 'x-mine': '1' })
  })

  test('the sandbox sees who asks, signed, and never the token', async () => {
    await fetch(`${base}/3000/?__svc_user_context=forged`, {
      headers: { ...bearer(), [userContextHeader]: 'forged' },
    })
    expect(last().url).toBe('/proxy/3000/')
    expect(last().headers.authorization).toBeUndefined()
    const [text = ''] = String(last().headers[userContextHeader]).split('.')
    const context: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    expect(context).toMatchObject({
      userId: platform.owner.user_id,
      sandboxId: session.session_id,
      sandboxRole: 'owner',
    })
  })

  test('the platform speaks for itself in the answer', async () => {
    const response = await fetch(`${base}/3000/`, { headers: { ...bearer(), 'x-request-id': 'mine' } })
    expect(response.headers.get('x-request-id')).toBe('mine')
    expect(last().headers['x-request-id']).toBe('mine')
    expect(response.headers.get('service-worker-allowed')).toBeNull()
    expect(response.headers.get('x-ratelimit-limit')).toBe('600')
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeLessThan(600)
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0)
  })

  test('a large body is streamed both ways', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'x')
    const response = await fetch(`${base}/3000/`, { method: 'POST', headers: bearer(), body })
    expect((await response.arrayBuffer()).byteLength).toBe(body.length)
  })

  test.each(['events', 'silent'])(
    'an event stream (%s) is not held back, and ends when its reader leaves',
    async (path) => {
      const outgoing = request(`${base}/3000/${path}`, { headers: bearer() }).end()
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
      if (!incoming) throw new Error('no response')
      if (path === 'events') expect(String((await once(incoming, 'data'))[0])).toBe('data: first\n\n')
      const upstream = last()
      const left = once(upstream.socket, 'close')
      outgoing.on('error', () => undefined)
      outgoing.destroy()
      await left
    },
  )

  test('a WebSocket goes through', async () => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/3000/socket?a=1`, {
      headers: { ...bearer(), [userContextHeader]: 'forged' },
    })
    await once(socket, 'open')
    socket.send('ping')
    expect(String((await once(socket, 'message'))[0])).toBe('echo ping')
    expect(last().url).toBe('/proxy/3000/socket?a=1')
    expect(last().headers.authorization).toBeUndefined()
    expect(last().headers[userContextHeader]).not.toBe('forged')
    socket.terminate()
  })

  test('a body without a length goes through', async () => {
    const response = await fetch(`${base}/8000/svc/runtime/prompt`, {
      method: 'POST',
      headers: bearer(),
      body: new Blob(['{"text":', '"x"}']).stream(),
      duplex: 'half',
    })
    expect([response.status, await response.text()]).toEqual([201, '{"text":"x"}'])
    expect(last()).toMatchObject({ method: 'POST', url: '/svc/runtime/prompt' })
  })

  test('an answer that breaks off breaks off for the caller too', async () => {
    const response = await fetch(`${base}/3000/broken`, { headers: bearer() })
    await expect(response.text()).rejects.toThrow()
  })
})

describe('refusals', () => {
  let daemon: FakeDaemon
  let session: RunningSession
  let base: string

  beforeAll(async () => {
    daemon = await fakeDaemon(daemonAnswers, 'tcp')
    session = await runSession(platform, daemon)
    base = `${api.origin}/v1/p/${session.external_id}`
  })
  afterAll(() => daemon.close())

  const ask = async (path: string, headers: Record<string, string> = bearer()) => {
    const response = await fetch(path, { headers })
    const body: unknown = await response.json()
    expect(response.headers.get('x-request-id')).toBeTruthy()
    return { status: response.status, headers: response.headers, body }
  }

  async function upgrade(url: string, headers: Record<string, string>): Promise<number> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers })
    socket.on('error', () => undefined)
    const [, response]: [unknown, IncomingMessage] = await once(socket, 'unexpected-response').then(
      ([req, res]) => [req, res],
    )
    response.resume()
    return response.statusCode ?? 0
  }

  test('no token is 401, another person 404', async () => {
    expect(await ask(`${base}/3000/`, {})).toMatchObject({
      status: 401,
      body: { error: true, code: 'unauthorized' },
    })
    expect(await ask(`${base}/3000/`, { authorization: `Bearer ${stranger.token}` })).toMatchObject({
      status: 404,
    })
    expect(await upgrade(`${base}/3000/`, {})).toBe(401)
    expect(await upgrade(`${base}/3000/`, { authorization: `Bearer ${stranger.token}` })).toBe(404)
  })

  test.each([22, 4096])('port %i is never reached', async (port) => {
    expect(await ask(`${base}/${port}/`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test('the daemon’s own control is not public', async () => {
    const asked = daemon.requests.length
    for (const path of [
      '/8000/svc/refresh',
      '/8000/svc/runtime/../refresh',
      '/8000/svc/runtime/%2e%2e/env',
      '/8000/svc/env',
    ]) {
      const outgoing = request({
        host: '127.0.0.1',
        port: api.port,
        path: `/v1/p/${session.external_id}${path}`,
        headers: bearer(),
      }).end()
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
      incoming?.resume()
      expect(incoming?.statusCode, path).toBe(404)
    }
    expect(daemon.requests.length).toBe(asked)
  })

  test('an address that names no sandbox is 404', async () => {
    for (const path of ['/v1/p/none/3000/', '/v1/p/none', '/v1/p/none/x/']) {
      expect(await ask(api.origin + path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  test('more than 600 requests in a minute are 429 with a shape of their own', async () => {
    const paths = Array.from({ length: 640 }, () => `${base}/3000/`)
    const statuses = new Map<number, number>()
    for (let start = 0; start < paths.length; start += 40) {
      for (const response of await Promise.all(
        paths.slice(start, start + 40).map((path) => fetch(path, { headers: bearer() })),
      )) {
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    expect(statuses.get(201)).toBeGreaterThanOrEqual(600)
    const refused = await ask(`${base}/3000/`)
    if (refused.status === 429) {
      expect(refused.body).toMatchObject({
        error: 'rate_limit_exceeded',
        message: expect.any(String),
        retry_after_seconds: expect.any(Number),
      })
      expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'))
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    }
  })

  test('a status that no server may send, or another protocol unasked, is a bad gateway, and the platform goes on', async () => {
    const own = await fakeDaemon(daemonAnswers, 'tcp')
    const { external_id } = await runSession(platform, own)
    const get = (path: string) =>
      fetch(`${api.origin}/v1/p/${external_id}/3000/${path}`, { headers: bearer() })
    const response = await get('no-status')
    expect([response.status, await response.text()]).toEqual([502, 'words'])
    expect((await get('other-protocol')).status).toBe(502)
    expect((await get('')).status).toBe(201)
    await own.close()
  })

  test('a sandbox that is down is 502', async () => {
    const own = await fakeDaemon(daemonAnswers, 'tcp')
    const down = await runSession(platform, own)
    await own.close()
    const address = `${api.origin}/v1/p/${down.external_id}/3000/`
    expect(await ask(address)).toMatchObject({
      status: 502,
      body: { error: true, code: 'sandbox_unreachable' },
    })
    expect(await upgrade(address, bearer())).toBe(502)
  })

  test('nothing else can be upgraded', async () => {
    expect(await upgrade(`${api.origin}/v1/projects`, bearer())).toBe(404)
  })
})
