import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { operations } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { trustedProxies } from '../../src/door/client-address.ts'
import { type FakeDaemon, fakeDaemon, type RunningSession, runSession } from '../support/sandbox.ts'
import { serve } from '../support/serve.ts'
import { openWorld } from '../support/world.ts'

const { platform, api } = await openWorld()
let daemon: FakeDaemon
let session: RunningSession

/** Echoes its request, and sets the headers that a hostile program would. */
const program: RequestListener = (req, res) => {
  if (req.url?.startsWith('/proxy/3000/events')) {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    return void res.write('data: first\n\n')
  }
  res.writeHead(200, {
    'content-type': 'text/html',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
    'clear-site-data': '"cookies"',
    'set-cookie': ['theirs=1', 'svc_preview=TOSSED; Path=/', 'svc_oauth=TOSSED; Domain=localhost'],
  })
  req.pipe(res)
}

beforeAll(async () => {
  daemon = await fakeDaemon(program, 'tcp')
  session = await runSession(platform, daemon)
})
afterAll(async () => {
  await daemon.close()
})

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Opens an address as a browser whose names below `localhost` all lead here. */
async function open(
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
  port = api.port,
) {
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } })
  outgoing.end(body)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('no answer')
  return incoming
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function ask(host: string, path: string, sent: Sent = {}, port = api.port): Promise<Answer> {
  const incoming = await open(host, path, sent, port)
  const { statusCode: status = 0, headers } = incoming
  return { status, headers, text: await text(incoming) }
}

async function ticketFor(token = platform.owner.token, of = session) {
  const answer = await platform.call(
    `/v1/projects/${of.project_id}/sessions/${of.session_id}/preview-tickets`,
    {
      method: 'POST',
      token,
      json: { port: 3000 },
    },
  )
  expect(answer.status, answer.text).toBe(201)
  const url = new URL(answer.pick('url'))
  return { host: url.host, path: url.pathname + url.search, ticket: url.searchParams.get('ticket') ?? '' }
}

/** A preview that a browser has opened. */
async function opened(token?: string, of?: RunningSession) {
  const { host, path } = await ticketFor(token, of)
  const { headers } = await ask(host, path)
  const [line = ''] = headers['set-cookie'] ?? []
  const cookie = line.split(';')[0] ?? ''
  const look = (at = '/', { headers: more = {}, ...sent }: Sent = {}) =>
    ask(host, at, { ...sent, headers: { cookie, ...more } })
  return { host, cookie, look }
}

const last = (): IncomingMessage => {
  const found = daemon.requests.at(-1)
  if (!found) throw new Error('the daemon was not asked')
  return found
}

test('a ticket becomes a cookie of its host alone and leads to the same place without it', async () => {
  const { host, ticket } = await ticketFor()
  const asked = daemon.requests.length
  const answer = await ask(host, `//a/b?x&ticket=${ticket}&y=%20`)
  expect(answer).toMatchObject({ status: 303, text: '' })
  expect(answer.headers).toMatchObject({
    location: `http://${host}//a/b?x&y=%20`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-request-id': expect.any(String),
  })
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^svc_preview=svc_prv_\w+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=None; Partitioned$/,
    ),
  ])
  expect(daemon.requests.length).toBe(asked)
  expect(platform.lines.join('')).not.toContain(ticket)
})

test('a ticket that was used is refused, in words for a person and with a code for a program', async () => {
  const { host, path } = await ticketFor()
  expect(await ask(host, path)).toMatchObject({ status: 303 })
  const again = await ask(host, path, { headers: { accept: 'text/html,*/*' } })
  expect(again).toMatchObject({ status: 401, text: expect.stringContaining('works once, for a minute') })
  expect(again.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(again.headers['content-security-policy']).toMatch(/^default-src 'none'; frame-ancestors 'self' http/)
  expect(again.headers['set-cookie']).toBeUndefined()
  expect(JSON.parse((await ask(host, path)).text)).toMatchObject({ code: 'unauthorized' })
})

test('only a GET spends a ticket, and only at its own host', async () => {
  const { host, path } = await ticketFor()
  const other = await ticketFor()
  expect(await ask(host, path, { method: 'HEAD' })).toMatchObject({ status: 401 })
  expect(await ask(host, path, { method: 'POST' })).toMatchObject({ status: 401 })
  expect(await ask(other.host, path)).toMatchObject({ status: 401 })
  expect(await ask(`${'0'.repeat(32)}.preview.localhost`, path)).toMatchObject({ status: 401 })
  expect(await ask(host, path)).toMatchObject({ status: 303 })
})

test('a request goes through with its body, its query and what the program keeps in the browser', async () => {
  const { look, cookie } = await opened()
  const answer = await look('/v1/accounts/me?x&y=%20&__svc_user_context=forged', {
    method: 'PUT',
    body: 'hello',
    headers: {
      cookie: `a=b; ${cookie}; svc_oauth=secret`,
      authorization: 'Bearer their.own',
      'x-svc-user-context': 'forged',
      'x-forwarded-for': '1.1.1.1',
    },
  })
  expect(answer).toMatchObject({ status: 200, text: 'hello' })
  expect(last()).toMatchObject({ method: 'PUT', url: '/proxy/3000/v1/accounts/me?x&y=%20' })
  expect(last().headers).toMatchObject({ cookie: 'a=b', authorization: 'Bearer their.own' })
  expect(last().headers['x-svc-user-context']).not.toBe('forged')
  expect(JSON.stringify(last().headers)).not.toMatch(/svc_p|1\.1\.1\.1/)
})

test('a document is what its program means it to be, framed by the dashboard; the platform speaks for itself', async () => {
  const { look } = await opened()
  const { headers } = await look('/', { headers: { 'x-request-id': 'mine' } })
  expect(headers['content-security-policy']).toBe(
    "default-src 'self', frame-ancestors 'self' http://127.0.0.1:1 http://localhost:1",
  )
  expect(headers['x-frame-options']).toBeUndefined()
  expect(headers['clear-site-data']).toBeUndefined()
  expect(headers['set-cookie']).toEqual(['theirs=1'])
  expect(headers).toMatchObject({ 'x-request-id': 'mine', 'x-ratelimit-limit': '600' })
})

test('an event stream is not held back', async () => {
  const { host, cookie } = await opened()
  const incoming = await open(host, '/events', { headers: { cookie } })
  expect(String((await once(incoming, 'data'))[0])).toBe('data: first\n\n')
  incoming.destroy()
})

function socketTo(host: string, headers: Record<string, string>, path = '/socket?a=1') {
  const socket = new WebSocket(`ws://127.0.0.1:${api.port}${path}`, { headers: { host, ...headers } })
  socket.on('error', () => undefined)
  return socket
}

test('a WebSocket of its own page goes through', async () => {
  const { host, cookie } = await opened()
  const socket = socketTo(host, { cookie: `${cookie}; theirs=1`, origin: `http://${host}` })
  await once(socket, 'open')
  socket.send('ping')
  expect(String((await once(socket, 'message'))[0])).toBe('echo ping')
  expect(last().url).toBe('/proxy/3000/socket?a=1')
  expect(last().headers.cookie).toBe('theirs=1')
  socket.terminate()
})

test.each<[string, (preview: { host: string; cookie: string }) => Record<string, string>, number]>([
  ['without a cookie', () => ({}), 401],
  ['with a token instead', () => ({ authorization: `Bearer ${platform.owner.token}` }), 401],
  ['of a page elsewhere', ({ cookie }) => ({ cookie, origin: 'http://127.0.0.1:1' }), 403],
  [
    'of another preview',
    ({ cookie }) => ({ cookie, origin: `http://${'1'.repeat(32)}.preview.localhost` }),
    403,
  ],
])('a WebSocket %s is refused', async (_, headers, status) => {
  const preview = await opened()
  const socket = socketTo(preview.host, headers(preview))
  const [, answer]: [unknown, IncomingMessage] = await once(socket, 'unexpected-response').then(
    ([req, res]) => [req, res],
  )
  expect(answer.statusCode).toBe(status)
})

test('addresses, tokens and sandboxes are counted as at every other door', async () => {
  const asked = await opened()
  const limits = { per_address: 3, per_token: 1 }
  const parts = { ...platform.parts, rate_limits: limits, is_proxy: trustedProxies(['127.0.0.1']) }
  const counting = await serve({ parts })
  const from = (address: string, headers: Record<string, string>) =>
    ask(asked.host, '/', { headers: { 'x-forwarded-for': address, ...headers } }, counting.port)
  const statuses = async (address: string, headers: Record<string, string>, times: number) => {
    const seen: number[] = []
    for (let n = 0; n < times; n++) seen.push((await from(address, headers)).status)
    return seen
  }
  expect(await statuses('192.0.2.1', {}, 4)).toEqual([401, 401, 401, 429])
  expect(await statuses('192.0.2.2', { cookie: asked.cookie }, 2)).toEqual([200, 429])
  expect((await from('192.0.2.3', { cookie: asked.cookie })).headers['retry-after']).toMatch(/^\d+$/)
  await counting.close()
})

test.each<[string, Sent]>([
  ['a form of another site', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a page of another preview', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-site' } }],
  ['the platform’s own pages', { method: 'POST', headers: { origin: 'http://127.0.0.1:1' } }],
])('%s writes nothing', async (_, sent) => {
  const { look } = await opened()
  const asked = daemon.requests.length
  expect(await look('/', sent)).toMatchObject({ status: 403 })
  expect(daemon.requests.length).toBe(asked)
})

test('a preview shows one port of one session to the browser that opened it, and to no other', async () => {
  const mine = await opened()
  const other = await opened()
  expect(await ask(mine.host, '/')).toMatchObject({ status: 401 })
  expect(await ask(mine.host, '/', { headers: { cookie: other.cookie } })).toMatchObject({ status: 401 })
  const both = `${other.cookie}; svc_preview=x; ${mine.cookie}`
  expect(await ask(mine.host, '/', { headers: { cookie: both } })).toMatchObject({ status: 200 })
  for (const path of ['/../8000/svc/env', '/..%2f..%2f8000/svc/env', '/v1/p/x/22/', '/proxy/22/']) {
    await mine.look(path)
    expect(last().url, path).toMatch(/^\/proxy\/3000\//)
  }
})

test('a revoked token shows nothing from the next request on', async () => {
  const { call, owner } = platform
  const made = await call('/v1/accounts/tokens', {
    method: 'POST',
    token: owner.token,
    json: { name: 'browser' },
  })
  const { look } = await opened(made.pick('token'))
  expect(await look()).toMatchObject({ status: 200 })
  const revoked = await call(`/v1/accounts/tokens/${made.pick('token_id')}`, {
    method: 'DELETE',
    token: owner.token,
  })
  expect(revoked.status).toBe(204)
  const answer = await look()
  expect(answer.status).toBe(401)
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'session_token_revoked' })
  const denials = await platform.parts.db
    .selectFrom('audit_events')
    .select(['action', 'outcome', 'target'])
    .where('action', '=', 'showPreview')
    .execute()
  expect(denials).toEqual([
    { action: 'showPreview', outcome: 'denied', target: expect.stringMatching(/\/previews\/3000$/) },
  ])
})

test('a stopped session, and then a deleted project, show nothing from the next request on', async () => {
  const own = await runSession(platform, daemon)
  const { look } = await opened(undefined, own)
  expect(await look()).toMatchObject({ status: 200 })
  const { db } = platform.parts
  const stopped = { status: 'stopped', stopped_at: new Date() } as const
  await db.updateTable('project_sessions').set(stopped).where('session_id', '=', own.session_id).execute()
  expect(await look()).toMatchObject({ status: 409, text: expect.stringContaining('SESSION_NOT_RUNNING') })
  const gone = await platform.call(`/v1/projects/${own.project_id}`, {
    method: 'DELETE',
    token: platform.owner.token,
  })
  expect(gone.status, gone.text).toBeLessThan(300)
  expect(await look()).toMatchObject({ status: 404 })
})

describe('nothing of the platform answers on a preview host, and no preview on the platform’s own', () => {
  /** Routes that are no operation of the contract. */
  const others = [
    ...['GET /', 'GET /dashboard/', 'GET /dashboard/assets/x', 'GET /v1/docs', 'GET /v1/openapi.json'],
    ...[
      'POST /v1/mcp',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
    ],
    ...[
      'GET /v1/oauth/authorize',
      'GET /v1/oauth/interaction/x',
      'POST /v1/oauth/token',
      'GET /v1/auth/link',
    ],
    ...[
      'GET /scim/v2/Users',
      'POST /v1/webhooks/projects/x/y',
      'GET /v1/p/x/3000/',
      'POST /v1/llm/chat/completions',
    ],
    ...['GET /v1/git/x.git/info/refs?service=git-upload-pack', 'POST /v1/git/x.git/git-receive-pack'],
    ...['GET /healthz', 'GET /metrics', 'OPTIONS /v1/accounts/me'],
  ]
  const routes = [
    ...operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
    ...others,
  ]

  test.each(routes)('%s', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const headers = { authorization: `Bearer ${platform.owner.token}`, accept: 'application/json' }
    const asked = daemon.requests.length
    for (const host of [`${'0'.repeat(32)}.preview.localhost:1`, 'preview.localhost', 'x.preview.localhost'])
      for (const url of [path, `http://127.0.0.1${path}`]) {
        const answer = await ask(host, url, { method, headers })
        expect([401, 404], `${host} ${url} ${answer.text}`).toContain(answer.status)
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
        if (method !== 'HEAD') expect(answer.text).toMatch(/preview/)
      }
    expect(daemon.requests.length).toBe(asked)
  })

  test.each(routes)('%s of an open preview is its program’s', async (route) => {
    preview ??= await opened()
    const [method = '', path = ''] = route.split(' ')
    const answer = await preview.look(path, {
      method,
      headers: { authorization: `Bearer ${platform.owner.token}` },
    })
    expect(answer.status).toBe(200)
    expect(last()).toMatchObject({ method, url: `/proxy/3000${path}` })
    expect(last().headers.authorization).toBeUndefined()
  })
  let preview: Awaited<ReturnType<typeof opened>> | undefined

  test('upgrades neither', async () => {
    const authorization = `Bearer ${platform.owner.token}`
    const socket = socketTo('preview.localhost', { authorization }, `/v1/p/${session.external_id}/3000/`)
    const [, answer]: [unknown, IncomingMessage] = await once(socket, 'unexpected-response').then(
      ([req, res]) => [req, res],
    )
    expect(answer.statusCode).toBe(404)
  })

  test('the cookie of a preview opens nothing on the platform', async () => {
    const { cookie } = await opened()
    const value = cookie.split('=')[1] ?? ''
    for (const headers of [{ cookie }, { authorization: `Bearer ${value}` }] as Record<string, string>[])
      for (const path of ['/v1/accounts/me', `/v1/p/${session.external_id}/3000/`])
        expect((await ask('127.0.0.1', path, { headers })).status).toBe(401)
  })
})
