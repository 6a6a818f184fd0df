import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { operations } from '@svc/contract'
import { expect, test } from 'vitest'
import { serve } from '../support/serve.ts'
import { openWorld } from '../support/world.ts'
import { connectMcp } from './connect.ts'

const { platform, api } = await openWorld()

const connect = (token: string, origin = api.origin) => connectMcp(`${origin}/v1/mcp`, token)

async function tool(client: Client, name: string, input: Record<string, unknown>) {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }))
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  return { isError: result.isError === true, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

test('an MCP client searches, reads and calls the API as its user', async () => {
  const client = await connect(platform.owner.token)
  const found = await tool(client, 'search_api', { query: 'make a new project with an empty repository' })
  expect(found.body.operations[0]).toMatchObject({ method: 'POST', path: '/v1/projects/provision' })
  const described = await tool(client, 'describe_api', { method: 'POST', path: '/v1/projects/provision' })
  expect(described.body.body.schema.required).toEqual(['name'])
  const made = await tool(client, 'call_api', {
    method: 'POST',
    path: '/v1/projects/provision',
    body: { name: 'By tool' },
  })
  expect(made).toMatchObject({ isError: false, body: { status: 201, body: { name: 'By tool' } } })
  const { project_id } = made.body.body
  const read = await tool(client, 'call_api', {
    method: 'GET',
    path: '/v1/projects/{project_id}',
    project_id,
  })
  expect(read.body.body).toMatchObject({ project_id, name: 'By tool' })
  const files = await tool(client, 'call_api', {
    method: 'GET',
    path: '/v1/projects/{project_id}/files/content',
    project_id,
    query: { path: 'svc.yaml' },
  })
  expect(files.body.body.content).toContain('svc_version: 2')
  await client.close()
})

test('the tools can do what the token can, and no more', async () => {
  const own = await platform.call('/v1/projects', { token: platform.owner.token })
  const project_id = own.pick('0.project_id')
  const client = await connect((await platform.stranger()).token)
  const read = await tool(client, 'call_api', {
    method: 'GET',
    path: '/v1/projects/{project_id}',
    project_id,
  })
  expect(read).toMatchObject({ isError: true, body: { status: 404 } })
  await client.close()
})

test('a call of the tools comes from where the caller does', async () => {
  const client = await connect(platform.owner.token)
  const project_id = (await platform.call('/v1/projects', { token: platform.owner.token })).pick(
    '0.project_id',
  )
  const written = await tool(client, 'call_api', {
    method: 'PATCH',
    path: '/v1/projects/{project_id}',
    project_id,
    body: { name: 'Renamed by tool' },
  })
  expect(written).toMatchObject({ isError: false })
  const { db } = platform.database
  const events = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'updateProject')
    .execute()
  expect(events.map(({ ip }) => ip)).toEqual(['127.0.0.1'])
  await client.close()
})

test('a call of the tools counts for the address and the token of the caller', async () => {
  const rate_limits = { per_address: 40, per_token: 30 }
  const limited = await serve({ parts: { ...platform.parts, rate_limits } })
  const client = await connect((await platform.stranger()).token, limited.origin)
  const statuses: number[] = []
  for (let n = 0; n < 30; n++) {
    const answer = await tool(client, 'call_api', { method: 'GET', path: '/v1/projects' }).catch(() => null)
    statuses.push(answer?.body?.status ?? 0)
  }
  // Each call is two requests: that of the tool, and that of the protocol around it.
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(15)
  expect(statuses).toContain(429)
  await limited.close()
})

test('what signs people in and what asks for no token is neither found, described nor called', async () => {
  const client = await connect(platform.owner.token)
  const closed = operations.filter(
    ({ path, access }) => /^\/v1\/(auth|oauth)\//.test(path) || (access !== null && 'public' in access),
  )
  expect(closed.length).toBeGreaterThan(10)
  const asked = platform.lines.length
  for (const { method, path } of closed) {
    const filled = path.replaceAll(/\{\w+\}/g, 'x')
    for (const name of ['describe_api', 'call_api']) {
      const answer = await tool(client, name, { method, path: filled })
      expect(answer.text, `${name} ${method} ${path}`).toContain('The API has no operation')
      expect(answer.isError).toBe(true)
    }
  }
  const found = await tool(client, 'search_api', { query: 'sign in with a password', limit: 20 })
  const paths = new Set(closed.map(({ method, path }) => `${method} ${path}`))
  const offered = (found.body.operations as { method: string; path: string }[]).map(
    ({ method, path }) => `${method} ${path}`,
  )
  expect(offered.filter((one) => paths.has(one))).toEqual([])
  const requests = platform.lines.slice(asked).filter((line) => line.includes('"msg":"request"'))
  expect(requests.filter((line) => !line.includes('/v1/mcp'))).toEqual([])
  await client.close()
})

test('no token, no tools', async () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
  expect((await platform.call('/v1/mcp', { method: 'POST', json: initialize })).status).toBe(401)
  expect(
    (await platform.call('/v1/mcp', { method: 'POST', json: initialize, token: 'svc_pat_x' })).status,
  ).toBe(401)
})

test.each(['GET', 'DELETE'])('%s says that there is no session', async (method) => {
  const answer = await platform.call('/v1/mcp', { method, token: platform.owner.token })
  expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
})

test.each([
  ['not JSON', '{'],
  ['no message', '{"a":1}'],
  ['an empty list', '[]'],
])('%s is a refusal of the protocol', async (_, body) => {
  const answer = await platform.call('/v1/mcp', {
    method: 'POST',
    body,
    token: platform.owner.token,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  })
  expect(answer.status).toBeLessThan(500)
})

test('a call of the tools is in the log as the request that it is', () => {
  expect(platform.lines.some((line) => line.includes('/v1/projects/provision'))).toBe(true)
})
