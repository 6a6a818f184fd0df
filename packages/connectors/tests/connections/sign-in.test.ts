import { countInbox, getInbox } from '@svc/services'
import { addMember, look, openWorld } from '@svc/services/testing'
import { guardedWire } from '@svc/outbound'
import { createProviders } from '@svc/upstream'
import { createDatabase } from '@svc/db'
import { afterAll, expect, test } from 'vitest'
import { createExecutor } from '../../src/executor/index.ts'
import {
  beginAuthorization,
  callConnector,
  type ConnectorContext,
  deleteConnection,
  finishAuthorization,
  getAuthorization,
  getConnector,
  listConnections,
  receiveAuthorization,
} from '../../src/index.ts'
import { openExecutor, settings } from '../support/place.ts'
import { callback, openSignInPlace } from '../support/sign-in-place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const open = (more: Parameters<typeof openSignInPlace>[2] = {}) => openSignInPlace(world, executor, more)

test('a server that asks for a sign-in is connected by one, and called with what that brought', async () => {
  const place = await open()
  const { person, key } = place
  expect(await getConnector(person, key)).toMatchObject({ status: 'needs_connection', takes_sign_in: true })
  expect(await place.call()).toMatchObject({ ok: false, reason: 'connector_not_connected' })

  const begun = await beginAuthorization(person, key)
  expect(begun).toMatchObject({
    status: 'pending',
    issuer: place.issuer.origin,
    authorization_url: expect.stringContaining('code_challenge_method=S256'),
    connect_url: expect.stringMatching(/\/dashboard\/projects\/.+\/connectors\/docs$/),
  })
  const { authorization_id } = begun
  const input = { ...key, authorization_id }
  await expect(finishAuthorization(person, input)).rejects.toMatchObject({ code: 'conflict' })
  const back = await place.signIn(begun.authorization_url)
  const { url } = await receiveAuthorization(person, back)
  expect(url).toBe(`${begun.connect_url}?authorization=${authorization_id}`)
  expect(await getAuthorization(person, input)).toMatchObject({ status: 'returned', authorization_url: null })

  // Both at once: the code is sent once.
  const ends = await Promise.allSettled([
    finishAuthorization(person, input),
    finishAuthorization(person, input),
  ])
  expect(ends.filter(({ status }) => status === 'fulfilled')).not.toEqual([])
  expect(await finishAuthorization(person, input)).toMatchObject({ status: 'connected', error: null })
  expect(await place.connection()).toMatchObject({
    kind: 'oauth2',
    status: 'active',
    is_default: true,
    fields: ['access_token', 'refresh_token'],
    origin: place.server.origin,
  })
  await executor.sync(key)
  expect(await getConnector(person, key)).toMatchObject({ status: 'ready', actions: 1 })
  expect(await place.call()).toMatchObject({ ok: true, status: 'done' })
})

test('a state works once, for its own issuer, and in its time', async () => {
  const { person, key, signIn, issuer } = await open()
  const receive = (input: Parameters<typeof receiveAuthorization>[1]) => receiveAuthorization(person, input)
  const refused = { code: 'invalid_request' }
  await expect(receive({ state: 'made up', code: 'x' })).rejects.toMatchObject(refused)

  const used = await beginAuthorization(person, key)
  const back = await signIn(used.authorization_url)
  await receive(back)
  await expect(receive(back)).rejects.toMatchObject(refused)

  const foreign = await beginAuthorization(person, key)
  const of = (authorization_id: string) => getAuthorization(person, { ...key, authorization_id })
  const answer = await signIn(foreign.authorization_url)
  await expect(receive({ ...answer, iss: 'https://evil.example' })).rejects.toMatchObject(refused)
  expect(await of(foreign.authorization_id)).toMatchObject({
    status: 'failed',
    error: `The answer came from https://evil.example, and not from ${issuer.origin}`,
  })
  await expect(receive(answer)).rejects.toMatchObject(refused)

  const denied = await beginAuthorization(person, key)
  const { searchParams } = new URL(denied.authorization_url ?? '')
  await receive({ state: searchParams.get('state') ?? '', error: 'access_denied', error_description: 'No' })
  expect(await of(denied.authorization_id)).toMatchObject({
    status: 'failed',
    error: `${issuer.origin} answered access_denied (No)`,
  })

  const late = await beginAuthorization(person, key)
  const lateBack = await signIn(late.authorization_url)
  world.clock.advance(10 * 60_000 + 1)
  await expect(receive(lateBack)).rejects.toMatchObject(refused)
  await executor.sweep()
  expect(await of(late.authorization_id)).toMatchObject({ status: 'expired' })
  const { connections } = await listConnections(person, key)
  // The one that came back and was not finished is over as well.
  expect(connections).toEqual([])
})

test('only the person who began finishes, and a session never begins', async () => {
  const place = await open()
  const { person, key } = place
  const other = place.as(await addMember(world, place.project, 'manager'))
  const begun = await beginAuthorization(person, key)
  await receiveAuthorization(person, await place.signIn(begun.authorization_url))
  const input = { ...key, authorization_id: begun.authorization_id }
  await expect(getAuthorization(other, input)).rejects.toMatchObject({ code: 'not_found' })
  await expect(finishAuthorization(other, input)).rejects.toMatchObject({ code: 'not_found' })
  expect(await finishAuthorization(person, input)).toMatchObject({ status: 'connected' })
})

test('a merged address gets nothing of a sign-in that was begun for another', async () => {
  const { person, key, signIn, server, project, call, connection } = await open()
  const begun = await beginAuthorization(person, key)
  const back = await signIn(begun.authorization_url)
  await receiveAuthorization(person, back)
  const moved = (await project.git('show', 'main:svc.yaml')).replace(server.url, 'http://127.0.0.2:9/mcp')
  await project.commit('main', { 'svc.yaml': moved }, 'Move it')
  await look(world, project)
  const input = { ...key, authorization_id: begun.authorization_id }
  expect(await finishAuthorization(person, input)).toMatchObject({ status: 'connected' })
  expect(await connection()).toMatchObject({ origin: server.origin })
  await world.db
    .insertInto('connector_actions')
    .values({
      ...{ ...key, action: 'search', position: 0, title: null, description: '', risk: 'read', digest: 'd' },
      ...{ input_schema: '{}', binding: '{}', accepted_digest: 'd', state: 'active' },
    })
    .execute()
  await world.db.updateTable('project_connectors').set({ synced_at: world.clock.now() }).execute()
  expect(await call()).toMatchObject({ ok: false, reason: 'connector_changed' })
})

test('a connection that was removed before it was finished stays removed', async () => {
  const { person, key, signIn } = await open()
  const begun = await beginAuthorization(person, key)
  await receiveAuthorization(person, await signIn(begun.authorization_url))
  await deleteConnection(person, { ...key, connection_id: begun.connection_id })
  const input = { ...key, authorization_id: begun.authorization_id }
  expect(await finishAuthorization(person, input)).toMatchObject({
    status: 'failed',
    error: 'The connection was removed meanwhile; connect it again',
  })
  expect((await listConnections(person, key)).connections).toEqual([])
})

test('a token is renewed before it ends, once for all who ask, and expires where its issuer says no', async () => {
  const place = await open()
  await place.connect()
  await executor.sync(place.key)
  const first = await place.connection()
  world.clock.advance(560_000)
  const calls = await Promise.all(Array.from({ length: 8 }, () => place.call()))
  expect(calls.filter(({ ok }) => ok)).toHaveLength(8)
  const renewed = await place.connection()
  expect(new Date(renewed?.expires_at ?? 0).getTime()).toBeGreaterThan(
    new Date(first?.expires_at ?? 0).getTime(),
  )

  await place.issuer.revokeAll()
  world.clock.advance(560_000)
  expect(await place.call()).toMatchObject({ ok: false, reason: 'connection_expired' })
  expect(await place.connection()).toMatchObject({
    status: 'expired',
    last_error: expect.stringMatching(/invalid_grant.*connect it again/),
  })
  // Signed in for anew, it is the same connection.
  const again = await place.connect({ connection_id: first?.connection_id ?? '' })
  expect(again).toMatchObject({ status: 'connected', connection_id: first?.connection_id })
  expect(await place.call()).toMatchObject({ ok: true })
})

test('a token that the service refuses before its time is renewed for the next call', async () => {
  const place = await open()
  await place.connect()
  await executor.sync(place.key)
  expect(await place.call()).toMatchObject({ ok: true })
  await place.issuer.forgetTokens()
  expect(await place.call()).toMatchObject({ ok: false, reason: 'connection_expired' })
  expect(await place.call()).toMatchObject({ ok: true })
})

test('where each person has their own, the actions are read with one of them', async () => {
  const place = await open({ strategy: ', authorization_strategy: user' })
  const { person, key } = place
  expect(await getConnector(person, key)).toMatchObject({ status: 'needs_connection', connection: null })
  await place.connect()
  expect(await place.connection()).toMatchObject({ scope: 'personal', is_default: true })
  await executor.sync(key)
  expect(await getConnector(person, key)).toMatchObject({ status: 'ready', actions: 1 })
  expect(await place.call()).toMatchObject({ ok: true })
  const other = place.as(await addMember(world, place.project, 'manager'))
  const { project_id } = key
  const asked = { project_id, connector: 'docs', action: 'search', args: {}, door: 'rest' } as const
  expect(await callConnector(other, { ...asked, wait_seconds: 0 })).toMatchObject({
    reason: 'connector_not_connected',
  })
})

test('what expired, and what an agent does not start without, waits for those who may connect it', async () => {
  const place = await open({ required: true })
  const { person, key, project } = place
  const waiting = async (ctx: ConnectorContext) =>
    (await getInbox(ctx, { limit: 50, kind: 'connection' })).items.map(
      ({ item_id, title, phrase, path }) => ({
        ...{ item_id, title, phrase, path },
      }),
    )
  const path = `/projects/${key.project_id}/connectors/docs`
  const phrase = 'An agent does not start without it, and it is not connected'
  const missing = { item_id: `connection:${key.project_id}.docs`, title: 'Docs', phrase, path }
  expect(await waiting(person)).toEqual([missing])
  expect((await countInbox(person)).by_kind.connection).toBe(1)
  expect(await waiting(place.as(await addMember(world, project, 'viewer')))).toEqual([])
  await place.connect()
  expect(await waiting(person)).toEqual([])

  const connection_id = (await place.connection())?.connection_id
  await place.issuer.revokeAll()
  world.clock.advance(560_000)
  await executor.sync(key)
  expect(await waiting(person)).toEqual([
    {
      ...{ item_id: `connection:${connection_id}`, title: 'Docs: Project', path },
      phrase: expect.stringMatching(/^Expired: .*invalid_grant.*connect it again$/),
    },
  ])
})

test('the access is taken back at its issuer when it is disconnected', async () => {
  const place = await open()
  await place.connect()
  const connection = await place.connection()
  const before = await place.issuer.grants()
  await deleteConnection(place.person, { ...place.key, connection_id: connection?.connection_id ?? '' })
  expect(before).toBeGreaterThan(0)
  expect(await place.issuer.grants()).toBe(0)
  await executor.sweep()
  expect(await getConnector(place.person, place.key)).toMatchObject({ status: 'needs_connection' })
  expect(await place.connection()).toBeUndefined()
})

test('why no sign-in can begin is said, and nothing is left of it', async () => {
  const closed = await open({ registers: false })
  await expect(beginAuthorization(closed.person, closed.key)).rejects.toMatchObject({
    code: 'issuer_not_usable',
    message: expect.stringContaining(callback),
  })
  const other = await open({ auth: ', auth: { type: basic }' })
  await expect(beginAuthorization(other.person, other.key)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('store a credential'),
  })
  expect((await listConnections(closed.person, closed.key)).connections).toEqual([])
})

test('a wire that is closed to the issuer is the reason, and no request left', async () => {
  const place = await open()
  const locks = createDatabase(world.connection_string, { max: 1 })
  afterAll(() => locks.destroy())
  const wire = guardedWire({ open: [] })
  const shut = createExecutor({
    ...world.base,
    ...{ locks, wire, signal: new AbortController().signal },
    ...{ providers: createProviders({ wire }).of, connector_settings: settings },
  })
  await expect(beginAuthorization({ ...place.person, executor: shut }, place.key)).rejects.toMatchObject({
    code: 'issuer_not_usable',
    details: { reason: 'address_not_allowed' },
  })
})
