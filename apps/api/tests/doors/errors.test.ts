import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createDatabase } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createApi } from '../../src/index.ts'
import { serve } from '../support/serve.ts'
import { openWorld } from '../support/world.ts'

const { platform } = await openWorld()

const token = () => ({ token: platform.owner.token })

test('an unknown path is 404, an unknown method of a known path 405 with Allow', async () => {
  expect(await platform.call('/v1/nothing', token())).toMatchObject({
    status: 404,
    body: { error: true, code: 'not_found' },
  })
  expect(await platform.call('/elsewhere')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const answer = await platform.call('/v1/projects', { ...token(), method: 'PUT' })
  expect(answer).toMatchObject({
    status: 405,
    body: { error: true, code: 'method_not_allowed', status: 405 },
  })
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
})

test('unknown paths below /v1 say nothing to those without a token', async () => {
  expect(await platform.call('/v1/nothing')).toMatchObject({ status: 401 })
})

test('a harmless X-Request-Id is kept, another one replaced', async () => {
  const kept = await platform.call('/v1/nothing', { headers: { 'x-request-id': 'my.id_1-a' } })
  expect(kept.headers.get('x-request-id')).toBe('my.id_1-a')
  for (const bad of ['a b', 'x'.repeat(129), 'a;b']) {
    const replaced = await platform.call('/v1/health', { headers: { 'x-request-id': bad } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('a revoked token has its own code, from the next request on', async () => {
  const minted = await platform.call('/v1/accounts/tokens', {
    ...token(),
    method: 'POST',
    json: { name: 'short' },
  })
  const revoked = { token: minted.pick('token') }
  expect(await platform.call('/v1/projects', revoked)).toMatchObject({ status: 200 })
  await platform.call(`/v1/accounts/tokens/${minted.pick('token_id')}`, { ...token(), method: 'DELETE' })
  const answer = await platform.call('/v1/projects', revoked)
  expect(answer).toMatchObject({
    status: 401,
    body: { error: true, code: 'session_token_revoked', status: 401 },
  })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
})

test('issues name the place: body, query and headers', async () => {
  const unknown = await platform.call('/v1/projects/provision', {
    ...token(),
    method: 'POST',
    json: { name: 'x', extra: 1 },
  })
  expect(unknown).toMatchObject({
    status: 400,
    body: { error: true, status: 400, code: 'invalid_request', issues: [{ path: 'extra' }] },
  })
  const project = await platform.call('/v1/projects/provision', {
    ...token(),
    method: 'POST',
    json: { name: 'x' },
  })
  const base = `/v1/projects/${project.pick('project_id')}`
  expect(await platform.call(`${base}/sessions?limit=0`, token())).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'limit' }] },
  })
  expect(await platform.call(`${base}/sessions?cursor=nonsense`, token())).toMatchObject({ status: 400 })
  const session = await platform.call(`${base}/sessions`, { ...token(), method: 'POST', json: {} })
  const events = `${base}/sessions/${session.pick('session_id')}/events`
  const headers = { accept: 'text/event-stream', 'last-event-id': 'nonsense' }
  expect(await platform.call(events, { ...token(), headers })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'last-event-id' }] },
  })
})

test.each(['/v1/projects/%00', '/v1/projects/%E0%A4%A', '/v1/projects/..%2f..', "/v1/projects/'--"])(
  '%s is a refusal, not a defect',
  async (path) => expect((await platform.call(path, token())).status).toBe(400),
)

test('a NUL in a query is a refusal, not a defect', async () => {
  const project = await platform.call('/v1/projects/provision', {
    ...token(),
    method: 'POST',
    json: { name: 'x' },
  })
  const base = `/v1/projects/${project.pick('project_id')}`
  for (const path of [
    '/sessions?q=%00',
    '/sessions?label=a%00',
    '/sessions?cursor=%00',
    '/files?path=%00',
    '/commits?ref=%00',
  ]) {
    expect((await platform.call(base + path, token())).status, path).toBeLessThan(500)
  }
})

test('JSON that is nested too deep to be written down is a refusal, not a defect', async () => {
  const project = await platform.call('/v1/projects/provision', {
    ...token(),
    method: 'POST',
    json: { name: 'deep' },
  })
  const path = `/v1/projects/${project.pick('project_id')}`
  const patch = (depth: number) =>
    platform.call(path, {
      ...token(),
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: `{"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    })
  expect(await patch(1_000)).toMatchObject({ status: 200 })
  for (const depth of [1_001, 200_000]) {
    expect(await patch(depth)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'metadata', message: 'must be nested at most 1000 levels deep' }] },
    })
  }
})

test('a body over the limit is 413, declared or not', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) })
  const headers = { 'content-type': 'application/json' }
  const options = { ...token(), method: 'POST', body }
  expect(await platform.call('/v1/accounts/tokens', { ...options, headers })).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  })
  const declared = { ...headers, 'content-length': String(body.length) }
  expect(await platform.call('/v1/accounts/tokens', { ...options, headers: declared })).toMatchObject({
    status: 413,
  })
})

test('an optional body may be absent or empty', async () => {
  const project = await platform.call('/v1/projects/provision', {
    ...token(),
    method: 'POST',
    json: { name: 'x' },
  })
  const path = `/v1/projects/${project.pick('project_id')}/cli-token`
  expect(await platform.call(path, { ...token(), method: 'POST' })).toMatchObject({ status: 201 })
  const headers = { 'content-type': 'application/json' }
  expect(await platform.call(path, { ...token(), method: 'POST', headers })).toMatchObject({ status: 201 })
})

test('on a socket a body may come without a length, or not at all', async () => {
  const api = await serve(platform)
  try {
    const post = (path: string, headers: Record<string, string>, ...chunks: string[]) =>
      new Promise<{ status: number; connection: string; body: string }>((resolve, reject) => {
        const authorization = `Bearer ${platform.owner.token}`
        const sent = request(`${api.origin}${path}`, {
          method: 'POST',
          headers: { authorization, ...headers },
        })
        sent.on('error', reject)
        sent.on('response', (answer) => {
          const { statusCode: status = 0, headers: told } = answer
          text(answer).then((body) => resolve({ status, connection: told.connection ?? '', body }), reject)
        })
        for (const chunk of chunks) sent.write(chunk)
        if (chunks.length === 0) sent.useChunkedEncodingByDefault = false
        sent.end()
      })
    const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const provisioned = await post('/v1/projects/provision', json, '{"name":', '"in pieces"}')
    expect(provisioned.status, provisioned.body).toBe(201)
    const large = 'x'.repeat(1024 * 1024)
    const tooLarge = await post('/v1/projects/provision', json, '{"name":"', large, large, large, large, '"}')
    // A connection that is cut at once takes the answer with it.
    expect(tooLarge).toMatchObject({ status: 413, connection: 'keep-alive' })
    const bodiless = await post('/v1/projects/provision', {})
    expect(bodiless.status, bodiless.body).toBe(400)
  } finally {
    await api.close()
  }
})

test('a defect answers with a bare 500, its text goes to the log', async () => {
  const api = createApi({
    ...platform.parts,
    now: () => {
      throw new Error('the secret cause')
    },
  })
  const response = await api.app.request('/v1/projects', {
    headers: { authorization: `Bearer ${platform.owner.token}` },
  })
  expect(response.status).toBe(500)
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect(await response.text()).not.toContain('secret cause')
  expect(platform.lines.join('')).toContain('the secret cause')
})

test('a request that PostgreSQL ended for a lock is to be sent again', async () => {
  const raised = sql`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`
  const error: unknown = await raised.execute(platform.database.db).catch((reason: unknown) => reason)
  const api = createApi({
    ...platform.parts,
    now: () => {
      throw error
    },
  })
  const response = await api.app.request('/v1/projects', {
    headers: { authorization: `Bearer ${platform.owner.token}` },
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(platform.lines.join('')).toContain('deadlock detected')
})

test('without its database the API answers 503 with Retry-After', async () => {
  const db = createDatabase('postgres://nobody@127.0.0.1:1/none')
  const api = createApi({ ...platform.parts, db })
  const response = await api.app.request('/v1/projects', {
    headers: { authorization: `Bearer ${platform.owner.token}` },
  })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await response.json()).toMatchObject({ error: true, code: 'temporarily_unavailable' })
  expect((await api.app.request('/readyz')).status).toBe(503)
  expect((await api.app.request('/healthz')).status).toBe(200)
  await db.destroy()
})

test('Retry-After comes from the refusal', async () => {
  const now = () => {
    throw new ServiceError('session_limit_reached', 'full', { retry_after: 7 })
  }
  const response = await createApi({ ...platform.parts, now }).app.request('/v1/projects', {
    headers: { authorization: `Bearer ${platform.owner.token}` },
  })
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(await response.json()).not.toHaveProperty('retry_after')
})

test('the log holds the path and the status, never a query or a token', async () => {
  platform.lines.length = 0
  await platform.call('/v1/projects?access_token=hidden', token())
  const line: unknown = JSON.parse(platform.lines.find((text) => text.includes('"request"')) ?? 'null')
  expect(line).toMatchObject({
    method: 'GET',
    path: '/v1/projects',
    status: 200,
    request_id: expect.any(String),
  })
  expect(platform.lines.join('')).not.toContain('hidden')
  expect(platform.lines.join('')).not.toContain(platform.owner.token)
})

test('what is mounted answers by itself, with the id of the request', async () => {
  const fetched: string[] = []
  const mounts = [
    {
      path: '/v1/llm',
      fetch: (request: Request) => {
        fetched.push(new URL(request.url).pathname)
        return new Response('theirs', { status: 418 })
      },
    },
  ]
  const { app } = createApi({ ...platform.parts, mounts })
  const response = await app.request('/v1/llm/chat/completions', { method: 'POST', body: 'x' })
  expect([response.status, await response.text()]).toEqual([418, 'theirs'])
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect(fetched).toEqual(['/v1/llm/chat/completions'])
})
