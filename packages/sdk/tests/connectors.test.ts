import { afterEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.ts'
import { type Handler, sendJson, startStub, type StubServer } from './stub-server.ts'

let stub: StubServer
afterEach(() => stub.close())

async function clientOf(handler: Handler): Promise<Client> {
  stub = await startStub(handler)
  return createClient({ api_url: stub.api_url, token: 'svc_pat_x' })
}

const asked = { connector: 'tracker', action: 'create_issue', args: { title: 'x' } }
const denied = { ok: false, status: 'denied', reason: 'policy_block', message: 'Blocked' }
const pending = { ok: false, status: 'pending', reason: 'approval_required', message: 'Waits', call_id: 'c' }

describe('a call of a connector', () => {
  it.each([
    [200, { ok: true, status: 'done', call_id: 'c', risk: 'read', data: { total: 2 } }],
    [202, pending],
    [400, { ...denied, status: 'error', reason: 'invalid_arguments', issues: [{ path: 'a', message: 'b' }] }],
    [403, denied],
    [404, { ...denied, reason: 'connector_not_found' }],
    [502, { ...denied, status: 'error', reason: 'upstream_error', upstream_status: 500 }],
    [504, { ...denied, status: 'error', reason: 'outcome_unknown' }],
  ])('resolves to its outcome with %i, and is sent once', async (status, outcome) => {
    const client = await clientOf((_, response) => sendJson(response, status, outcome))
    expect(await client.projects.connectorCalls.create('p', asked)).toEqual(outcome)
    expect(stub.seen).toHaveLength(1)
  })

  it.each([
    [404, { error: true, message: 'There is no such project', code: 'not_found', status: 404 }],
    [502, '<html>a proxy</html>'],
    [429, { error: true, message: 'Slower', code: 'rate_limit_exceeded', status: 429 }],
  ])('rejects with a refusal that is no outcome, %i', async (status, body) => {
    const client = await clientOf((_, response) => sendJson(response, status, body))
    await expect(client.projects.connectorCalls.create('p', asked)).rejects.toMatchObject({ status })
  })

  it('is waited for over as many answers as it takes', async () => {
    const done = { ok: true, status: 'done', call_id: 'c', risk: 'write', data: null }
    const client = await clientOf((_, response, index) => sendJson(response, 200, index < 2 ? pending : done))
    expect(await client.projects.connectorCalls.wait('p', 'c')).toEqual(done)
    expect(stub.seen.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => '/v1/projects/p/connector-calls/c?wait_seconds=20'),
    )
  })

  it('is waited for until the signal aborts', async () => {
    const controller = new AbortController()
    const client = await clientOf((_, response, index) => {
      sendJson(response, 200, pending)
      if (index === 1) controller.abort(new Error('enough'))
    })
    const waiting = client.projects.connectorCalls.wait('p', 'c', { signal: controller.signal })
    await expect(waiting).rejects.toThrow('enough')
    expect(stub.seen).toHaveLength(2)
  })

  it('is found in the ledger over every page', async () => {
    const client = await clientOf(({ url }, response) => {
      const last = url.includes('cursor=')
      sendJson(response, 200, { calls: [{ call_id: last ? 'b' : 'a' }], next_cursor: last ? null : 'next' })
    })
    const ids: string[] = []
    for await (const { call_id } of client.projects.connectorCalls.list('p', { status: 'unknown' }))
      ids.push(call_id)
    expect(ids).toEqual(['a', 'b'])
  })
})
