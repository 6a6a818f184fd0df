import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { connectorSettings, type Executor, noExecutor } from '@svc/connectors'
import { createExecutor, type LocalExecutor } from '@svc/connectors/executor'
import { connectorCalls, createDatabase, makeRoles } from '@svc/db'
import { moveBranch, resolveBranch, writeCommit } from '@svc/git'
import { guardedWire } from '@svc/outbound'
import { createProviders } from '@svc/upstream'
import { createVault } from '@svc/vault'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mint, mintSignIn } from '../support/credentials.ts'
import { openWorld } from '../support/world.ts'
import { connectMcp } from './connect.ts'

/** The same in every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'

let inner: LocalExecutor | undefined
const asked = (): Executor => inner ?? noExecutor
/** Made before the platform that it works on. */
const executor: Executor = {
  ready: () => asked().ready(),
  run: (call, here) => asked().run(call, here),
  sync: (key) => asked().sync(key),
  origin: (key) => asked().origin(key),
  test: (key) => asked().test(key),
  beginSignIn: (key) => asked().beginSignIn(key),
  finishSignIn: (key) => asked().finishSignIn(key),
  revoke: (key) => asked().revoke(key),
}
const { platform, api, ask } = await openWorld({
  executor,
  vault: createVault(randomBytes(32), { key_id: 'test' }),
  tool_wait: { seconds: 2, note_ms: 200 },
})

/** Another service: it counts what it is asked for. */
const seen: string[] = []
const service = createServer((req, res) => {
  seen.push(`${req.method} ${req.url}`)
  const answer = () =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ heard: req.url }))
  if (req.url?.startsWith('/slow') === true) setTimeout(answer, 4_000)
  else answer()
})
let project_id = ''
let session_id = ''
let agent = ''

function local(): LocalExecutor {
  if (inner === undefined) throw new Error('No executor was made')
  return inner
}

beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = Object(service.address())
  // The executor reads and writes with its own role of PostgreSQL, which may do that and no more.
  const { connection_string } = platform.database
  await makeRoles(connection_string, { passwords: { svc_executor: password }, jobs_schema: 'bullmq' })
  const url = new URL(connection_string)
  Object.assign(url, { username: 'svc_executor', password })
  const [db, locks] = [createDatabase(url.href, { max: 4 }), createDatabase(url.href, { max: 2 })]
  const stop = new AbortController()
  const wire = guardedWire({ open: ['127.0.0.0/8'] })
  inner = createExecutor({
    ...platform.parts,
    ...{ db, locks, signal: stop.signal },
    ...{ wire, providers: createProviders({ wire }).of },
    connector_settings: connectorSettings({ SVC_APPROVAL_SIGN_IN_MINUTES: 60, SVC_CONNECTOR_CALL_DAYS: 90 }),
  })
  afterAll(async () => {
    stop.abort()
    await Promise.all([db.destroy(), locks.destroy()])
    service.closeAllConnections()
    service.close()
  })
  const manifest = `svc_version: 2
default_agent: main
agents:
  main: { connectors: [crm, hidden], svc_cli: [project.review.submit] }
connectors:
  - { slug: crm, provider: http, base_url: "http://127.0.0.1:${port}/", policies: [{ match: "crm.delete", action: block }] }
  - { slug: hidden, provider: http, base_url: "http://127.0.0.1:${port}/", inline: false }
  - { slug: others, provider: http, base_url: "http://127.0.0.1:${port}/" }
`
  const repository = () =>
    platform.parts.repositories.open({ kind: 'managed', project_id }, { signal: stop.signal })
  project_id = (await ask('POST', '/v1/projects/provision', { name: 'Connected' })).pick('project_id')
  const parent_sha = await resolveBranch(await repository(), 'main')
  const to_sha = await writeCommit(await repository(), {
    ...{ parent_sha, message: 'Connect', committed_at: new Date() },
    changes: [{ path: 'svc.yaml', content: manifest }],
  })
  await moveBranch(await repository(), { branch: 'main', from_sha: parent_sha ?? '', to_sha })
  expect((await ask('GET', `/v1/projects/${project_id}/connectors`)).status).toBe(200)
  session_id = (await ask('POST', `/v1/projects/${project_id}/sessions`, {})).pick('session_id')
  const { user_id } = platform.owner
  agent = (await mint(platform.database.db, { kind: 'session', user_id, project_id, session_id })).token
})

const connect = (token: string, headers: Record<string, string> = {}) =>
  connectMcp(`${api.origin}/v1/executor/mcp`, token, headers)

async function tool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  onprogress?: () => void,
) {
  const result = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: args }, undefined, onprogress && { onprogress }),
  )
  const [content] = result.content
  expect(JSON.parse(content?.type === 'text' ? content.text : '')).toEqual(result.structuredContent)
  return { isError: result.isError === true, body: Object(result.structuredContent) }
}

const rowOf = (call_id: string) => connectorCalls.find(platform.database.db, call_id)
const prompts = async () =>
  platform.database.db
    .selectFrom('session_prompts')
    .select(['text', 'dedupe_key'])
    .where('session_id', '=', session_id)
    .where('source', '=', 'connector')
    .execute()

test('an agent finds the tools in their order, those that are blocked or not its own left out', async () => {
  const client = await connect(agent)
  expect(client.getServerVersion()?.name).toBe('svc-executor')
  expect(client.getInstructions()).toContain('data from outside')
  // A connector that was never called has no actions yet.
  await tool(client, 'call', { connector: 'crm', action: 'get', args: { path: '/first' } })
  await tool(client, 'call', { connector: 'hidden', action: 'get', args: { path: '/first' } })
  const { tools } = await client.listTools()
  const fixed = ['connectors', 'discover', 'describe', 'call', 'result', 'connect', 'submit_review']
  const own = ['crm__get', 'crm__head', 'crm__post', 'crm__put', 'crm__patch']
  expect(tools.map(({ name }) => name)).toEqual([...fixed, ...own])
  expect(tools.find(({ name }) => name === 'crm__get')).toMatchObject({
    inputSchema: { type: 'object', required: ['path'] },
    annotations: { readOnlyHint: true },
  })
  expect(tools.find(({ name }) => name === 'crm__post')?.description).toContain('A person approves each call')
  const { body } = await tool(client, 'connectors')
  expect(body.connectors.map(({ slug }: { slug: string }) => slug)).toEqual(['crm', 'hidden'])
  await client.close()
})

test('a read is found, described and called, by its own tool and by call, and comes back whole', async () => {
  const client = await connect(agent)
  const found = await tool(client, 'discover', { query: 'get', connector: 'crm' })
  expect(found.body.tools[0]).toMatchObject({ tool: 'crm__get', needs_approval: false })
  expect((await tool(client, 'describe', { tool: 'hidden.get' })).body).toMatchObject({ risk: 'read' })
  const got = await tool(client, 'crm__get', { path: '/people' })
  expect(got).toMatchObject({
    isError: false,
    body: { ok: true, status: 'done', data: { status: 200, body: { heard: '/people' } } },
  })
  expect(seen.filter((line) => line === 'GET /people')).toHaveLength(1)
  await expect.poll(async () => (await rowOf(got.body.call_id))?.delivered_at).toBeInstanceOf(Date)
  expect(await rowOf(got.body.call_id)).toMatchObject({ door: 'executor', delivery: 'inline', session_id })
  expect(await prompts()).toEqual([])
  await client.close()
})

test.each([
  ['a blocked action', 'crm__delete', { path: '/x' }, 'action_not_found'],
  [
    'a blocked action by call',
    'call',
    { connector: 'crm', action: 'delete', args: { path: '/x' } },
    'policy_block',
  ],
  ['a connector of others', 'call', { connector: 'others', action: 'get' }, 'connector_not_found'],
  ['wrong arguments of an action', 'crm__get', {}, 'invalid_arguments'],
  ['wrong arguments of a tool', 'result', { call_id: 'x' }, 'invalid_arguments'],
  ['a link to a connector of others', 'connect', { connector: 'others' }, 'connector_not_found'],
  ['a call of nobody', 'result', { call_id: randomUUID() }, 'forbidden'],
])('%s is an error that says why', async (_, name, args, reason) => {
  const client = await connect(agent)
  const before = seen.length
  expect(await tool(client, name, args)).toMatchObject({ isError: true, body: { ok: false, reason } })
  expect(seen).toHaveLength(before)
  await client.close()
})

test('a call that a person decides on is pending, runs once, and its result is a message and can be read', async () => {
  const client = await connect(agent)
  const notes: number[] = []
  const call = await tool(client, 'crm__post', { path: '/orders', body: { n: 1 } }, () => notes.push(1))
  expect(call).toMatchObject({
    isError: false,
    body: {
      status: 'pending',
      reason: 'approval_required',
      message: expect.stringContaining('do not repeat'),
    },
  })
  expect(notes.length).toBeGreaterThan(0)
  expect(seen).not.toContain('POST /orders')
  const { call_id, digest } = call.body
  const { access } = await mintSignIn(platform.database.db, platform.owner)
  const decided = await platform.call(`/v1/projects/${project_id}/approvals/${call_id}/decide`, {
    ...{ method: 'POST', token: access, json: { decision: 'approve', digest } },
  })
  expect(decided.status).toBe(200)
  // The result wakes a session that sleeps.
  const its = `/v1/projects/${project_id}/sessions/${session_id}`
  expect((await ask('POST', `${its}/stop`)).status).toBe(200)
  await local().execute({ call_id })
  expect((await ask('GET', its)).body).toMatchObject({ status: 'provisioning' })
  const result = await tool(client, 'result', { call_id })
  expect(result).toMatchObject({
    isError: false,
    body: { status: 'done', data: { body: { heard: '/orders' } } },
  })
  expect(seen.filter((line) => line === 'POST /orders')).toHaveLength(1)
  expect(await prompts()).toMatchObject([
    { dedupe_key: `connector-call:${call_id}`, text: expect.stringContaining('/orders') },
  ])
  await client.close()
})

test('a client that left before the end is sent the result as a message, once', async () => {
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'crm__get', arguments: { path: '/slow/left' } },
  })
  const headers = {
    authorization: `Bearer ${agent}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const leave = new AbortController()
  const answer = await fetch(`${api.origin}/v1/executor/mcp`, {
    ...{ method: 'POST', headers, body, signal: leave.signal },
  })
  // It begins at once, while the call runs.
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await expect.poll(() => seen).toContain('GET /slow/left')
  leave.abort()
  const mine = async () => (await prompts()).filter(({ text }) => text.includes('/slow/left'))
  await expect.poll(async () => (await local().sweep(), await mine()).length, { interval: 500 }).toBe(1)
  await local().sweep()
  expect(await mine()).toHaveLength(1)
})

test('without an executor a call is refused, and nothing is written', async () => {
  const client = await connect(agent)
  const count = () =>
    platform.database.db
      .selectFrom('connector_calls')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
  const before = await count()
  const kept = inner
  inner = undefined
  expect(await tool(client, 'crm__get', { path: '/x' })).toMatchObject({
    isError: true,
    body: { reason: 'executor_unavailable', status: 'error' },
  })
  inner = kept
  expect(await count()).toEqual(before)
  await client.close()
})

test('an agent shows its work, and a person may use the tools of a project that they name', async () => {
  const client = await connect(agent)
  expect((await tool(client, 'submit_review', { title: 'Look' })).body).toMatchObject({ status: 'needs_you' })
  await client.close()
  const person = await connect(platform.owner.token, { 'X-Svc-Project': project_id })
  expect(
    (await tool(person, 'call', { connector: 'others', action: 'get', args: { path: '/p' } })).body,
  ).toMatchObject({
    status: 'done',
  })
  await person.close()
  await expect(connect(platform.owner.token)).rejects.toThrow('X-Svc-Project')
  await expect(connect('svc_pat_x')).rejects.toThrow()
  const stranger = await connect((await platform.stranger()).token, { 'X-Svc-Project': project_id })
  expect((await tool(stranger, 'connectors')).body).toMatchObject({ ok: false, reason: 'not_found' })
  await stranger.close()
})
