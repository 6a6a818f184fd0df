import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { maxBytes, type SendRequest } from './call-api.ts'
import { mcpServers } from './server.ts'

const thing = { $ref: '#/components/schemas/Thing' }
const json = (schema: unknown) => ({ 'application/json': { schema } })
const id = { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } }
const document = {
  openapi: '3.1.0',
  paths: {
    '/v1/things': {
      get: { operationId: 'listThings', summary: 'List things', responses: { 200: { description: 'All' } } },
      post: {
        operationId: 'createThing',
        summary: 'Make a thing',
        requestBody: { required: true, content: json(thing) },
        responses: { 201: { description: 'Made', content: json(thing) }, 400: { description: 'No' } },
      },
    },
    '/v1/things/{thing_id}': {
      get: { operationId: 'getThing', summary: 'Read a thing', parameters: [id], responses: {} },
    },
    '/v1/things/newest': { get: { operationId: 'newestThing', summary: 'The newest', responses: {} } },
    '/v1/inside': { post: { operationId: 'inside', security: [{ sandboxKey: [] }], responses: {} } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: { name: { type: 'string' }, parts: { type: 'array', items: thing } },
      },
    },
  },
}

async function connected(send: SendRequest = () => Promise.reject(new Error('not expected'))) {
  const server = mcpServers({ document, version: '1.2.3' })(send)
  const client = new Client({ name: 'test', version: '0' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  return async (name: string, input: Record<string, unknown>) => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }))
    const [content] = result.content
    return { text: content?.type === 'text' ? content.text : '', isError: result.isError === true }
  }
}

test('the three tools are listed', async () => {
  const server = mcpServers({ document, version: '1.2.3' })(() => Promise.reject(new Error('not expected')))
  const client = new Client({ name: 'test', version: '0' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search_api', 'describe_api', 'call_api'])
  expect(client.getServerVersion()).toMatchObject({ name: 'svc', version: '1.2.3' })
})

test('an operation is found and described, with its schemas written out', async () => {
  const tool = await connected()
  const found = await tool('search_api', { query: 'make a thing' })
  expect(JSON.parse(found.text).operations[0]).toEqual({
    method: 'POST',
    path: '/v1/things',
    summary: 'Make a thing',
  })
  const { text } = await tool('describe_api', { method: 'post', path: '/v1/things' })
  expect(JSON.parse(text)).toMatchObject({
    operation_id: 'createThing',
    body: { required: true, schema: { properties: { name: { type: 'string' }, parts: { items: thing } } } },
    answers: [{ status: 201 }, { status: 400 }],
  })
})

test('a literal path comes before one with a parameter', async () => {
  const tool = await connected()
  const described = async (path: string) => {
    const { text } = await tool('describe_api', { method: 'GET', path })
    return JSON.parse(text).operation_id
  }
  expect(await described('/v1/things/newest')).toBe('newestThing')
  expect(await described('/v1/things/4')).toBe('getThing')
})

test('a call is sent as it is, and answers with status, body and page', async () => {
  const sent: unknown[] = []
  const tool = await connected(async (path, { method, body, headers }) => {
    sent.push({ method, path, body, type: headers['Content-Type'] })
    return Response.json([1], { status: 201, headers: { 'X-Next-Cursor': 'c', 'X-Request-Id': 'r' } })
  })
  const { text, isError } = await tool('call_api', {
    method: 'post',
    path: '/v1/things',
    body: { name: 'a' },
  })
  expect(sent).toEqual([
    { method: 'POST', path: '/v1/things', body: '{"name":"a"}', type: 'application/json' },
  ])
  expect({ ...JSON.parse(text), isError }).toEqual({
    status: 201,
    request_id: 'r',
    next_cursor: 'c',
    body: [1],
    isError: false,
  })
})

test('a refusal of the API is an error that the model reads', async () => {
  const refusal = { error: true, code: 'not_found', message: 'No' }
  const tool = await connected(async () => Response.json(refusal, { status: 404 }))
  const { text, isError } = await tool('call_api', { method: 'GET', path: '/v1/things/4' })
  expect({ ...JSON.parse(text), isError }).toMatchObject({ status: 404, body: refusal, isError: true })
})

test('an endless answer is cut, and says so', async () => {
  let sent = 0
  const tool = await connected(async () => {
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1024
        controller.enqueue(new TextEncoder().encode('x'.repeat(1024)))
      },
    })
    return new Response(endless)
  })
  const { text } = await tool('call_api', { method: 'GET', path: '/v1/things' })
  const result = JSON.parse(text)
  expect(result).toMatchObject({ status: 200, truncated: true })
  expect(result.body).toHaveLength(maxBytes)
  expect(sent).toBeLessThan(maxBytes * 2)
})

test.each([
  [{ method: 'GET', path: '/v1/nothing' }, 'near it'],
  [{ method: 'POST', path: '/v1/inside' }, 'no operation'],
  [{ method: 'DELETE', path: '/v1/things' }, 'no operation'],
  [{ method: 'GET', path: '/v1/things', body: {} }, 'takes no body'],
  [{ method: 'GET', path: '/v1/things/{thing_id}' }, '{thing_id}'],
  [{ method: 'GET', path: 'http://127.0.0.1/v1/things' }, 'names no host'],
])('%j is refused before anything is sent', async (call, reason) => {
  const tool = await connected()
  expect(await tool('call_api', call)).toEqual({ text: expect.stringContaining(reason), isError: true })
})
