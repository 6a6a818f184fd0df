import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { trustedProxies } from '@svc/platform/env'
import { serve } from '../support/serve.ts'
import { openPreviews, type PreviewRequest } from './previews.ts'

const { platform, daemon, open, ask, ticketFor, opened, last, socketTo } = await openPreviews()

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

test.each<[string, PreviewRequest]>([
  ['a form of another site', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a page of another preview', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-site' } }],
  ['the platform’s own pages', { method: 'POST', headers: { origin: 'http://127.0.0.1:1' } }],
])('%s writes nothing', async (_, sent) => {
  const { look } = await opened()
  const asked = daemon.requests.length
  expect(await look('/', sent)).toMatchObject({ status: 403 })
  expect(daemon.requests.length).toBe(asked)
})
