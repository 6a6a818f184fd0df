import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedApi, serve } from './support/serve.ts'
import { type TestPlatform, testPlatform } from './support/platform.ts'

let platform: TestPlatform
let api: ServedApi

beforeAll(async () => {
  platform = await testPlatform()
  api = await serve(platform)
})
afterAll(async () => {
  await api.close()
  await platform.close()
})

/** An MCP client as people's programs have one. */
async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  const headers = { Authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${api.origin}/v1/mcp`), {
    requestInit: { headers },
  })
  // The SDK's own types disagree about an optional session id.
  await client.connect({
    start: () => transport.start(),
    close: () => transport.close(),
    send: (message) => transport.send(message),
    set onmessage(listener: NonNullable<Transport['onmessage']>) {
      transport.onmessage = listener
    },
  })
  return client
}

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
