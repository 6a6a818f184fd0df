import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { buildCli } from './support/built-cli.ts'

const cli = await buildCli()
const seen: IncomingMessage['headers'][] = []
type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** As the platform does it: a server for each message, and an answer that is a stream. */
const serve: Handle = async (request, response) => {
  const server = new McpServer({ name: 'svc-executor', version: '1' })
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text: `heard ${text}` }],
  }))
  const transport = new StreamableHTTPServerTransport()
  response.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}
let handle = serve
const api = createServer((request, response) => {
  seen.push(request.headers)
  if (request.url !== '/v1/executor/mcp') return void response.writeHead(404).end('{}')
  void handle(request, response)
})
api.listen(0, '127.0.0.1')
await once(api, 'listening')
const { port } = Object(api.address())
const env = { SVC_API_URL: `http://127.0.0.1:${port}/v1`, SVC_EXECUTOR_TOKEN: 'svc_exec_of-the-session' }
afterAll(() => {
  api.closeAllConnections()
  api.close()
})
beforeEach(() => {
  seen.length = 0
  handle = serve
})

async function connect(): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' })
  const args = [cli.launcher, 'mcp', 'bridge', 'executor']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  return client
}

test('an agent over stdin and stdout lists and calls the connectors of its session', async () => {
  const client = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['echo'])
  const answers = await Promise.all(
    ['one', 'two'].map((text) => client.callTool({ name: 'echo', arguments: { text } })),
  )
  expect(answers.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'heard one' }],
    [{ type: 'text', text: 'heard two' }],
  ])
  expect(seen.every(({ authorization }) => authorization === `Bearer ${env.SVC_EXECUTOR_TOKEN}`)).toBe(true)
  expect(seen.at(-1)?.['mcp-protocol-version']).toMatch(/^\d{4}-/)
  await client.close()
})

test.each<[string, RegExp, Handle]>([
  [
    'is refused',
    /403.*The session has ended/,
    (_, response) =>
      void response.writeHead(403).end(JSON.stringify({ error: { message: 'The session has ended' } })),
  ],
  [
    'is cut off',
    /gave no answer/,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': begun\n\n', () => response.destroy())
    },
  ],
  [
    'ends without an answer',
    /the answer was cut off; ask again/,
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': begun\n\n'),
  ],
])('a request that %s is answered with the reason, and the next one is carried', async (_, words, wrong) => {
  const client = await connect()
  handle = wrong
  await expect(client.listTools()).rejects.toThrow(words)
  handle = serve
  expect((await client.listTools()).tools).toHaveLength(1)
  await client.close()
})

test('everything that was asked before the pipe closed is answered, and it ends with 0', async () => {
  const ask = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  const input = ask(1, 'initialize', params) + ask(2, 'ping', {})
  const { code, stdout } = await cli.run(['mcp', 'bridge', 'executor'], { env, input })
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => Number(Object(JSON.parse(line)).id))
  expect(ids.sort()).toEqual([1, 2])
  expect(code).toBe(0)
})
