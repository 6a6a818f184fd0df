import { afterEach, describe, expect, it } from 'vitest'
import { ApiError, type Client, ConnectionError, createClient } from '../src/index.ts'
import { type Handler, sendJson, startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

async function clientOf(handler: Handler): Promise<Client> {
  stub = await startStub(handler)
  return createClient({ api_url: stub.api_url, token: 'svc_pat_x', user_agent: 'test/1' })
}

const failure = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => error,
  )

describe('a request', () => {
  it('carries the token, the agent and JSON', async () => {
    const client = await clientOf((_, response) => sendJson(response, 201, { cr_id: 'c' }))
    await client.projects.changeRequests.create('p 1', { title: 't', head_ref: 'h' })
    expect(stub.seen).toMatchObject([
      {
        method: 'POST',
        url: '/v1/projects/p%201/change-requests',
        headers: {
          authorization: 'Bearer svc_pat_x',
          'user-agent': 'test/1',
          'content-type': 'application/json',
        },
        body: '{"title":"t","head_ref":"h"}',
      },
    ])
  })

  it('carries a token as it is read from a file, and repeats none that cannot be one', async () => {
    stub = await startStub((_, response) => sendJson(response, 200, {}))
    await createClient({ api_url: stub.api_url, token: 'svc_pat_x\n' }).me()
    expect(stub.seen[0]?.headers.authorization).toBe('Bearer svc_pat_x')
    const wrong = () => createClient({ api_url: stub.api_url, token: 'hunter2\nhunter2' })
    expect(wrong).toThrow(TypeError)
    expect(wrong).not.toThrow('hunter2')
  })

  it('without a body sends no content type', async () => {
    const client = await clientOf((_, response) => sendJson(response, 200, {}))
    await client.projects.changeRequests.close('p', '3')
    expect(stub.seen[0]?.headers['content-type']).toBeUndefined()
  })

  it('resolves to nothing on 204', async () => {
    const client = await clientOf((_, response) => void response.writeHead(204).end())
    expect(await client.projects.archive('p')).toBeNull()
  })

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const client = await clientOf(() => controller.abort(new Error('enough')))
    expect(await failure(client.me({ signal: controller.signal }))).toMatchObject({ message: 'enough' })
    expect(stub.seen).toHaveLength(1)
  })

  it('stops waiting for a retry when its signal aborts', async () => {
    const controller = new AbortController()
    const client = await clientOf((_, response) => {
      sendJson(response, 503, {}, { 'retry-after': '20' })
      setTimeout(() => controller.abort(new Error('enough')), 20)
    })
    expect(await failure(client.me({ signal: controller.signal }))).toMatchObject({ message: 'enough' })
  })
})

describe('retries', () => {
  it('a read twice on 502, 503 and 504, then succeeds', async () => {
    const client = await clientOf((_, response, index) =>
      sendJson(response, index === 0 ? 502 : index === 1 ? 504 : 200, { status: 'ok' }),
    )
    expect(await client.health()).toEqual({ status: 'ok' })
    expect(stub.seen).toHaveLength(3)
  })

  it('a read no more than twice', async () => {
    const client = await clientOf((_, response) =>
      sendJson(response, 503, { message: 'later' }, { 'retry-after': '0' }),
    )
    expect(await failure(client.health())).toMatchObject({ status: 503, message: 'later', retry_after: 0 })
    expect(stub.seen).toHaveLength(3)
  })

  it('a read whose connection was cut', async () => {
    const client = await clientOf((_, response, index) =>
      index === 0 ? void response.socket?.destroy() : sendJson(response, 200, []),
    )
    expect(await client.projects.list()).toEqual([])
  })

  it('a read whose body was cut in the middle', async () => {
    const client = await clientOf((_, response, index) => {
      if (index > 0) return sendJson(response, 200, [])
      response.writeHead(200, { 'content-length': '100' })
      response.write('[')
      setTimeout(() => response.socket?.destroy(), 10)
    })
    expect(await client.projects.list()).toEqual([])
  })

  it('a DELETE without a response, taking the 404 of the repeat as done', async () => {
    const client = await clientOf((_, response, index) =>
      index === 0
        ? void response.socket?.destroy()
        : sendJson(response, 404, { code: 'not_found', message: 'gone' }),
    )
    await client.projects.sessions.delete('p', 's')
    expect(stub.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE'])
  })

  it('no DELETE that was answered', async () => {
    const client = await clientOf((_, response) => sendJson(response, 503, {}, { 'retry-after': '0' }))
    expect(await failure(client.projects.sessions.delete('p', 's'))).toBeInstanceOf(ApiError)
    expect(stub.seen).toHaveLength(1)
  })

  it.each([
    ['POST', (client: Client) => client.projects.changeRequests.merge('p', '1')],
    ['PATCH', (client: Client) => client.projects.update('p', { name: 'x' })],
    ['PUT', (client: Client) => client.projects.secrets.set('p', 'A', 'b')],
  ])('no %s, answered or not', async (_, write) => {
    const client = await clientOf((_, response, index) =>
      index === 0 ? void response.socket?.destroy() : sendJson(response, 503, {}, { 'retry-after': '0' }),
    )
    expect(await failure(write(client))).toMatchObject({ name: 'ConnectionError', reason: 'unreachable' })
    expect(stub.seen).toHaveLength(1)
    expect(await failure(write(client))).toMatchObject({ name: 'ApiError', status: 503 })
    expect(stub.seen).toHaveLength(2)
  })
})

describe('errors', () => {
  it('carry everything that the body says', async () => {
    const client = await clientOf((_, response) =>
      sendJson(response, 409, {
        error: 'CONFLICT in a.txt',
        message: 'CONFLICT in a.txt',
        status: 409,
        code: 'MERGE_CONFLICT',
        conflicts: ['a.txt'],
      }),
    )
    const error = await failure(client.projects.changeRequests.merge('p', '3'))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 409,
      code: 'MERGE_CONFLICT',
      message: 'CONFLICT in a.txt',
      request_id: 'req-1',
      retry_after: null,
      issues: [],
      details: { conflicts: ['a.txt'] },
    })
  })

  it('carry issues', async () => {
    const issues = [{ path: 'body.title', message: 'must not be blank' }]
    const client = await clientOf((_, response) =>
      sendJson(response, 400, { error: true, message: 'Invalid', status: 400, issues }),
    )
    expect(await failure(client.me())).toMatchObject({ status: 400, code: null, issues })
  })

  it("read the rate limiter's own shape", async () => {
    const client = await clientOf((_, response) =>
      sendJson(response, 429, { error: 'rate_limit_exceeded', message: 'slow down', retry_after_seconds: 7 }),
    )
    expect(await failure(client.me())).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      retry_after: 7,
    })
  })

  it('survive a proxy that answers HTML', async () => {
    const client = await clientOf((_, response) => void response.writeHead(403).end('<h1>no</h1>'))
    expect(await failure(client.me())).toMatchObject({
      status: 403,
      code: null,
      message: 'The API answered 403 Forbidden',
    })
  })

  it('say when the address is not the API', async () => {
    const client = await clientOf((_, response) => void response.end('<h1>hello</h1>'))
    expect(await failure(client.me())).toMatchObject({ name: 'ConnectionError', reason: 'not_api' })
  })

  it('say when nothing listens, without the query', async () => {
    const client = await clientOf(() => undefined)
    await stub.close()
    stub = await startStub(() => undefined)
    const error = await failure(client.projects.changeRequests.list('p', { limit: 1 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('ECONNREFUSED') })
    expect(error).toMatchObject({ url: expect.stringMatching(/change-requests$/) })
  })

  it('say when the answer takes too long', async () => {
    stub = await startStub(() => undefined)
    const client = createClient({ api_url: stub.api_url, timeout_ms: 20 })
    expect(await failure(client.projects.secrets.set('p', 'A', 'b'))).toMatchObject({ reason: 'timeout' })
  })

  it('never follow a redirect with a write', async () => {
    const client = await clientOf(
      (_, response) => void response.writeHead(302, { location: '/v1/health' }).end(),
    )
    expect(await failure(client.projects.changeRequests.merge('p', '1'))).toBeInstanceOf(ConnectionError)
    expect(stub.seen).toHaveLength(1)
  })
})

describe('a queued create', () => {
  it('is polled until the session appears', async () => {
    const queued = { status: 'queued', command_id: 'c', session_id: 's', reason: 'slow repository' }
    const client = await clientOf((request, response, index) => {
      if (request.method === 'POST') return sendJson(response, 202, queued)
      if (index === 1) return sendJson(response, 404, { code: 'not_found', message: 'not yet' })
      sendJson(response, 200, { session_id: 's', status: 'provisioning' })
    })
    const session = await client.projects.sessions.create('p', {}, { idempotency_key: 'k' })
    expect(session.session_id).toBe('s')
    expect(stub.seen[0]?.headers['idempotency-key']).toBe('k')
    expect(stub.seen).toHaveLength(3)
  })

  it('is asked for by queue()', async () => {
    const client = await clientOf((_, response) =>
      sendJson(response, 202, { status: 'queued', command_id: 'c' }),
    )
    expect(await client.projects.sessions.queue('p')).toMatchObject({ command_id: 'c' })
    expect(stub.seen[0]?.headers['prefer']).toBe('respond-async')
  })
})
