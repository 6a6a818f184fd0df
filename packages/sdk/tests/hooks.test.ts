import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ApiError, createClient, type DebugEvent, type FetchInit, isApiError } from '../src/index.ts'

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'r-1', ...headers } })

/** A client whose answers come from here, with its requests and the events of its debug hook. */
function clientOf(...answers: (Response | Error)[]) {
  const sent: { url: string; init: FetchInit }[] = []
  const events: DebugEvent[] = []
  const client = createClient({
    api_url: 'https://svc.test/v1',
    token: 'svc_pat_secret',
    debug: (event) => events.push(event),
    fetch: (url, init) => {
      sent.push({ url, init })
      const next = answers.shift() ?? answer(200)
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next)
    },
  })
  return { client, sent, events }
}

describe('the debug hook', () => {
  it('is told of every attempt, its answer and its repetition, and of no secret', async () => {
    const { client, events } = clientOf(
      new Error('reset'),
      answer(503, {}, { 'retry-after': '0' }),
      answer(200),
    )
    await client.projects.sessions.list('p', { q: 'private words' })
    const common = { method: 'GET', url: 'https://svc.test/v1/projects/p/sessions' }
    const duration_ms = expect.any(Number)
    expect(events).toEqual([
      { kind: 'request', ...common, attempt: 1 },
      {
        kind: 'failure',
        ...common,
        attempt: 1,
        duration_ms,
        error: expect.objectContaining({ reason: 'unreachable' }),
      },
      { kind: 'retry', ...common, attempt: 1, delay_ms: 250 },
      { kind: 'request', ...common, attempt: 2 },
      { kind: 'response', ...common, attempt: 2, status: 503, request_id: 'r-1', duration_ms },
      { kind: 'retry', ...common, attempt: 2, delay_ms: 0 },
      { kind: 'request', ...common, attempt: 3 },
      { kind: 'response', ...common, attempt: 3, status: 200, request_id: 'r-1', duration_ms },
    ])
    expect(JSON.stringify(events)).not.toMatch(/secret|private/)
  })

  it('changes nothing when it fails', async () => {
    const client = createClient({
      api_url: 'https://svc.test/v1',
      debug: () => {
        throw new Error('full disk')
      },
      fetch: () => Promise.resolve(answer(200, { status: 'ok' })),
    })
    expect(await client.health()).toEqual({ status: 'ok' })
  })
})

describe('the caller’s request id', () => {
  it.each([
    ['a call', (c: ReturnType<typeof clientOf>['client']) => c.me({ request_id: 'mine' })],
    [
      'a list',
      async (c: ReturnType<typeof clientOf>['client']) =>
        c.projects.sessions.list('p', {}, { request_id: 'mine' }),
    ],
    [
      'a create',
      (c: ReturnType<typeof clientOf>['client']) =>
        c.projects.sessions.create('p', {}, { request_id: 'mine' }),
    ],
  ])('goes with %s', async (_, call) => {
    const { client, sent } = clientOf()
    await call(client)
    expect(sent[0]?.init.headers['x-request-id']).toBe('mine')
  })

  it('is left to the service otherwise', async () => {
    const { client, sent } = clientOf()
    await client.me()
    expect(sent[0]?.init.headers).not.toHaveProperty('x-request-id')
  })
})

describe('isApiError', () => {
  const error = new ApiError({
    status: 409,
    code: 'MERGE_CONFLICT',
    message: 'CONFLICT in a.txt',
    issues: [],
    request_id: null,
    retry_after: null,
    details: { conflicts: ['a.txt'] },
  })

  it('compares the code', () => {
    expect(isApiError(error)).toBe(true)
    expect(isApiError(error, 'CR_NOT_OPEN', 'MERGE_CONFLICT')).toBe(true)
    expect(isApiError(error, 'CR_NOT_OPEN')).toBe(false)
    expect(isApiError(new Error('x'))).toBe(false)
  })

  it('says what the details of the code are', () => {
    expect(isApiError(error, 'MERGE_CONFLICT') && error.details.conflicts).toEqual(['a.txt'])
  })
})

it('a delivery is signed as a sender signs it, over the very bytes', async () => {
  const { client, sent } = clientOf(answer(202, { status: 'queued', reason: 'cap' }))
  const event = { text: 'Grüße', n: 1 }
  const options = { delivery_id: 'd-1' }
  expect(await client.webhooks.deliver('p', 'on-push', event, 's3cret', options)).toMatchObject({
    status: 'queued',
  })
  const body = String(sent[0]?.init.body)
  expect(JSON.parse(body)).toEqual(event)
  expect(sent[0]?.init.headers).toMatchObject({
    'x-svc-signature': `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`,
    'x-svc-delivery': 'd-1',
  })
})
