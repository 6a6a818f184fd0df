import { afterEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.ts'
import { type Handler, sendJson, startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

async function clientOf(handler: Handler): Promise<Client> {
  stub = await startStub(handler)
  return createClient({ api_url: stub.api_url, token: 'svc_pat_x' })
}

const seen = () => stub.seen.map(({ method, url }) => `${method} ${url}`)

describe('the prompt queue of a session', () => {
  it('is listed over every page, by state', async () => {
    const client = await clientOf(({ url }, response) => {
      const last = url.includes('cursor=')
      const prompts = [{ prompt_id: last ? 'b' : 'a' }]
      sendJson(response, 200, { prompts, next_cursor: last ? null : 'next' })
    })
    const ids: string[] = []
    for await (const { prompt_id } of client.projects.sessions.prompts.list('p', 's', { state: 'pending' }))
      ids.push(prompt_id)
    expect(ids).toEqual(['a', 'b'])
    expect(seen()[1]).toBe('GET /v1/projects/p/sessions/s/prompts?state=pending&cursor=next')
  })

  it('gives a prompt back', async () => {
    const client = await clientOf((_, response) => sendJson(response, 200, { state: 'cancelled' }))
    expect(await client.projects.sessions.prompts.cancel('p', 's', 'q')).toEqual({ state: 'cancelled' })
    expect(seen()).toEqual(['DELETE /v1/projects/p/sessions/s/prompts/q'])
  })
})

describe('what the agent asks', () => {
  const ask = { kind: 'permission', request_id: 'r', permission: 'bash', patterns: ['ls'] }

  it('is read from the agent that runs', async () => {
    const client = await clientOf(({ url }, response) =>
      sendJson(
        response,
        200,
        url.endsWith('/state') ? { asks: [ask] } : { status: 'running', external_id: 'box 1' },
      ),
    )
    expect(await client.projects.sessions.asks.list('p', 's')).toEqual([ask])
    expect(seen()).toEqual(['GET /v1/projects/p/sessions/s', 'GET /v1/p/box%201/8000/svc/runtime/state'])
  })

  it.each([
    { status: 'stopped', external_id: 'box-1' },
    { status: 'running', external_id: null },
  ])('is nothing for %j, and nobody is woken to tell so', async (session) => {
    const client = await clientOf((_, response) => sendJson(response, 200, session))
    expect(await client.projects.sessions.asks.list('p', 's')).toEqual([])
    expect(stub.seen).toHaveLength(1)
  })

  it('is answered once, never repeated', async () => {
    const client = await clientOf((_, response, index) =>
      sendJson(response, index === 0 ? 200 : 503, { ok: true }),
    )
    const { asks } = client.projects.sessions
    expect(await asks.answer('p', 's', 'r/1', { reply: 'always' })).toBeUndefined()
    await expect(asks.answer('p', 's', 'r', { answers: [['Blue']] })).rejects.toMatchObject({ status: 503 })
    expect(stub.seen).toMatchObject([
      { method: 'POST', url: '/v1/projects/p/sessions/s/asks/r%2F1', body: '{"reply":"always"}' },
      { body: '{"answers":[["Blue"]]}' },
    ])
  })
})
