import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectorTools, executorOf } from './tools.ts'

interface Asked {
  readonly method: string
  readonly params: { readonly name?: string; readonly arguments?: unknown }
}

/** The platform's MCP server, as far as its wire goes: a note, and then the answer. */
const asked: { readonly authorization: string | undefined; readonly body: Asked }[] = []
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }
const server = createServer(async (req, res) => {
  let text = ''
  for await (const chunk of req) text += String(chunk)
  const body = JSON.parse(text) as Asked
  asked.push({ authorization: req.headers.authorization, body })
  if (req.headers.authorization !== 'Bearer session') return void res.writeHead(401).end()
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (message: object) =>
    res.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  send({ method: 'notifications/message', params: { level: 'info', data: 'not over' } })
  const tools = [{ name: 'crm__get', description: 'Reads', inputSchema }]
  const text_of = body.params.name === 'crm__get' ? JSON.stringify({ given: body.params.arguments }) : 'no'
  const called = {
    content: [{ type: 'text', text: text_of }],
    isError: Object(body.params.arguments).bad === true,
  }
  if (Object(body.params.arguments).cut !== true)
    send({ id: 1, result: body.method === 'tools/list' ? { tools } : called })
  res.end()
})
let env: Record<string, string> = {}
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const SVC_API_URL = `http://127.0.0.1:${Object(server.address()).port}/v1`
  env = { SVC_API_URL, SVC_EXECUTOR_TOKEN: 'session', SVC_CONNECTORS: '[{"slug":"crm"}]' }
})
afterAll(() => void server.close())

async function run(args: object) {
  const [tool] = await connectorTools(executorOf(env))
  if (tool === undefined) throw new Error('There is no tool')
  // The context of pi is not looked at.
  return tool.execute('id', args, undefined, undefined, {} as never)
}

test('the tools of the platform are tools of pi, under a name of their own', async () => {
  const tools = await connectorTools(executorOf(env))
  expect(tools).toMatchObject([
    { name: 'svc-executor_crm__get', label: 'crm__get', description: 'Reads', parameters: inputSchema },
  ])
})

test('a call is passed on with the token of the session, and its answer comes back', async () => {
  const { content } = await run({ path: '/x' })
  expect(content).toEqual([{ type: 'text', text: '{"given":{"path":"/x"}}' }])
  expect(asked.at(-1)).toMatchObject({
    authorization: 'Bearer session',
    body: { method: 'tools/call', params: { name: 'crm__get', arguments: { path: '/x' } } },
  })
})

test('a refusal, and an answer that was cut, are errors', async () => {
  await expect(run({ bad: true })).rejects.toThrow('{"given":{"bad":true}}')
  await expect(run({ cut: true })).rejects.toThrow('too early')
})

test('a session without connectors asks for nothing, and one that is refused has none', async () => {
  const before = asked.length
  const { SVC_CONNECTORS: _, ...without } = env
  expect(await connectorTools(executorOf(without))).toEqual([])
  expect(asked).toHaveLength(before)
  expect(await connectorTools(executorOf({ ...env, SVC_EXECUTOR_TOKEN: 'wrong' }))).toEqual([])
})
