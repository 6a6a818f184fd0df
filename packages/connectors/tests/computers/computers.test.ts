import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectorCalls, createDatabase } from '@svc/db'
import { guardedWire } from '@svc/outbound'
import { addMember, look, makeProject, openWorld, type Person } from '@svc/services/testing'
import { createComputerHub, createProviders } from '@svc/upstream'
import { fakeComputer } from '@svc/upstream/testing'
import { afterAll, expect, test } from 'vitest'
import { createExecutor, type LocalExecutor } from '../../src/executor/index.ts'
import {
  callConnector,
  computerAt,
  type ConnectorContext,
  createConnection,
  deleteConnection,
  getConnector,
  listActions,
  listConnections,
  noExecutor,
  serveComputer,
  testConnection,
  updateConnection,
} from '../../src/index.ts'
import { settings } from '../support/place.ts'

const world = await openWorld({ session_cap: 100 })
const byAddress = new Map<string, LocalExecutor>()

/** An executor with a door for computers, as another process would be. */
async function openExecutor() {
  const hub = createComputerHub()
  const locks = createDatabase(world.connection_string, { max: 4 })
  const stop = new AbortController()
  const wire = guardedWire({ open: [] })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    const key = computerAt(request.url ?? '')
    if (key !== null) executor.accept(key, { request, socket, head })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const executor = createExecutor({
    ...world.base,
    ...{ locks, wire, signal: stop.signal, connector_settings: settings },
    providers: createProviders({ wire, computers: hub }).of,
    computers: { hub, holder: randomUUID(), address, peer: (at) => byAddress.get(at) ?? noExecutor },
  })
  byAddress.set(address, executor)
  const close = async () => {
    await hub.close()
    stop.abort()
  }
  afterAll(async () => {
    await close()
    server.close()
    await locks.destroy()
  })
  return { executor, close, url: address.replace('http', 'ws') }
}

const one = await openExecutor()
const other = await openExecutor()

const tool = (action: string, risk: 'read' | 'destructive') => ({
  ...{ action, risk, title: null, description: `The tool ${action}` },
  input_schema: { type: 'object' },
})
const tools = [tool('files.read', 'read'), tool('shell.run', 'destructive')]

async function openPlace() {
  const project = await makeProject(world)
  const { project_id } = project
  const manifest = `svc_version: 2
default_agent: default
agents:
  default: { connectors: [computer] }
connectors:
  - { slug: computer, provider: computer, default_action: always_run }
`
  await project.commit('main', { 'svc.yaml': manifest }, 'Let computers be paired')
  await look(world, project)
  const as = ({ principal }: Person, by = one): ConnectorContext => ({
    ...world.as(principal),
    ...{ executor: by.executor, connector_settings: settings },
  })
  const person = as(project.owner)
  const connector = { project_id, slug: 'computer' }
  const connection = await createConnection(person, { ...connector, credential: {}, label: 'Laptop' })
  const key = { ...connector, connection_id: connection.connection_id }
  const path = `/computer?${new URLSearchParams({ project_id, connection_id: key.connection_id })}`
  const online = async () => (await listConnections(person, connector)).connections[0]?.online
  return {
    ...{ project, as, person, connector, connection, key, online },
    at: ({ url }: { readonly url: string }) => `${url}${path}`,
    call: (action = 'files.read', ctx = person, wait_seconds = 20) =>
      callConnector(ctx, {
        ...{ project_id, connector: 'computer', action, args: { path: 'a' }, wait_seconds },
        door: 'rest',
      }),
    status: async (call_id = '') => (await connectorCalls.find(world.db, call_id))?.status,
  }
}

test('a computer says its actions, is called, and is offline when it left', async () => {
  const place = await openPlace()
  expect(place.connection).toMatchObject({ kind: 'computer', scope: 'personal', online: false, fields: [] })
  expect(await place.call()).toMatchObject({ ok: false, reason: 'connector_unusable' })
  const computer = fakeComputer(tools)
  const socket = await computer.dial(place.at(one))
  await expect.poll(async () => (await getConnector(place.person, place.connector)).status).toBe('ready')
  expect(await place.online()).toBe(true)
  const { actions } = await listActions(place.person, place.connector)
  expect(actions.map(({ action, risk }) => [action, risk])).toEqual([
    ['files.read', 'read'],
    ['shell.run', 'destructive'],
  ])
  expect(await place.call()).toMatchObject({
    ok: true,
    data: { action: 'files.read', args: { path: 'a' } },
  })
  expect(await testConnection(place.person, place.key)).toMatchObject({ ok: true })
  socket.break()
  await expect.poll(place.online).toBe(false)
  expect(await place.call()).toMatchObject({ ok: false, reason: 'computer_offline' })
  expect(await testConnection(place.person, place.key)).toMatchObject({ reason: 'computer_offline' })
  // What it served is known all the same.
  await one.executor.sync(place.connector)
  expect(await getConnector(place.person, place.connector)).toMatchObject({ status: 'ready', actions: 2 })
})

test('is called through whichever executor has the call', async () => {
  const place = await openPlace()
  const computer = fakeComputer(tools)
  await computer.dial(place.at(one))
  await expect.poll(place.online).toBe(true)
  const elsewhere = place.as(place.project.owner, other)
  await other.executor.sync(place.connector)
  expect(await place.call('shell.run', elsewhere)).toMatchObject({ ok: true })
  expect(await testConnection(elsewhere, place.key)).toMatchObject({ ok: true })
  expect(computer.asked).toHaveLength(1)
  // Its executor does not answer any more, and nothing is sent.
  const { connection_id } = place.key
  await world.db
    .updateTable('connector_computers')
    .set({ seen_at: new Date(world.clock.now().getTime() - 61_000) })
    .where('connection_id', '=', connection_id)
    .execute()
  expect(await place.call('files.read', elsewhere)).toMatchObject({ reason: 'computer_offline' })
})

test('a call during which the computer came to another executor ends once', async () => {
  const place = await openPlace()
  const computer = fakeComputer(tools)
  const first = await computer.dial(place.at(one))
  await expect.poll(place.online).toBe(true)
  computer.hold = true
  const { call_id } = await place.call('shell.run', place.person, 0)
  await expect.poll(() => computer.asked.length).toBe(1)
  first.break()
  await computer.dial(place.at(other))
  await expect.poll(place.online).toBe(true)
  computer.release()
  // Its answer has no connection to come by; the executor that asked learns who has one, and lets go.
  world.clock.advance(11_000)
  await expect
    .poll(async () => {
      await one.executor.touch()
      await one.executor.sweep()
      return place.status(call_id)
    })
    .toBe('succeeded')
  expect(computer.ran).toEqual([call_id])
  expect(computer.asked.map((call) => call.call_id)).toEqual([call_id, call_id])
})

test('an executor that stops leaves a call on its way to the next', async () => {
  const leaving = await openExecutor()
  const place = await openPlace()
  const computer = fakeComputer(tools)
  const first = await computer.dial(place.at(leaving))
  await expect.poll(place.online).toBe(true)
  computer.hold = true
  const ctx = place.as(place.project.owner, leaving)
  const { call_id } = await place.call('shell.run', ctx, 0)
  await expect.poll(() => computer.asked.length).toBe(1)
  await leaving.close()
  expect(await first.closed).toBe(1001)
  await expect.poll(place.online).toBe(false)
  expect(await place.status(call_id)).toBe('executing')
  await computer.dial(place.at(one))
  await expect.poll(place.online).toBe(true)
  computer.release()
  world.clock.advance(11_000)
  await expect
    .poll(async () => {
      await one.executor.sweep()
      return place.status(call_id)
    })
    .toBe('succeeded')
  expect(computer.ran).toEqual([call_id])
})

test('a connection that is removed, or that another computer serves, ends where it is', async () => {
  const place = await openPlace()
  const [computer, second] = [fakeComputer(tools), fakeComputer(tools)]
  const first = await computer.dial(place.at(one))
  await expect.poll(place.online).toBe(true)
  const newer = await second.dial(place.at(other))
  await expect
    .poll(async () => {
      await one.executor.touch()
      return Promise.race([first.closed, Promise.resolve(null)])
    })
    .toBe(4001)
  expect(await place.online()).toBe(true)
  await deleteConnection(place.person, place.key)
  expect(await newer.closed).toBe(4002)
  await expect(serveComputer(place.person, place.key)).rejects.toMatchObject({ code: 'not_found' })
})

test('one who may not serve a computer is refused, and none takes a credential', async () => {
  const place = await openPlace()
  const stranger = place.as(await addMember(world, place.project, 'editor'))
  await expect(serveComputer(stranger, place.key)).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    updateConnection(place.person, { ...place.key, credential: { token: 'x' } }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(
    createConnection(place.person, { ...place.connector, credential: { token: 'x' } }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  expect((await serveComputer(place.person, place.key)).connection).toMatchObject({
    connection_id: place.key.connection_id,
  })
})
