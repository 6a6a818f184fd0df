import { createSession, fireTrigger, promptSession, updateSession } from '@svc/services'
import { addMember, openWorld, type Person } from '@svc/services/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  callConnector,
  createConnection,
  deleteConnection,
  getSessionConnectors,
  getTriggerBindings,
  listConnections,
  setSessionConnectors,
  setTriggerBindings,
  updateConnection,
} from '../../src/index.ts'
import { sessionConnections } from '../../src/sessions/index.ts'
import { openExecutor, openPlace, type Place, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
Object.assign(world.base, { session_connections: sessionConnections })
const executor = openExecutor(world)
const service = await startService()

const more = () => `
  - slug: crm
    provider: http
    base_url: ${service.url}/crm
    auth: { type: bearer }
  - slug: mine
    provider: http
    base_url: ${service.url}/mine
    auth: { type: bearer }
    authorization_strategy: user
triggers:
  - { slug: nightly, type: cron, cron: '0 0 3 * * *', agent: needy, prompt: x }
`

const agents = `  needy: { svc_cli: [project.read], connectors: [crm], connectors_required: [crm] }
  own: { svc_cli: [project.read], connectors: [mine], connectors_required: [mine] }
  open: { svc_cli: [project.read], connectors: [tracker, crm, mine] }
`

let place: Place
let editor: Person
let member: Person
beforeAll(async () => {
  place = await openPlace(world, executor, service, { more: more(), agents })
  const { project } = place
  editor = await addMember(world, project, 'editor')
  member = await addMember(world, project, 'viewer')
})

const connect = async (who: Place['person'], slug: string, scope: 'project' | 'personal', label = 'x') =>
  createConnection(who, {
    ...{ project_id: place.project_id, slug, scope, label },
    credential: { token: `tok-${label}` },
  })

const start = (who: Place['person'], agent_name: string, bindings?: Record<string, string>) =>
  createSession(who, {
    project_id: place.project_id,
    respond_async: false,
    body: {
      agent_name,
      ...(bindings === undefined
        ? {}
        : {
            connector_bindings: Object.fromEntries(
              Object.entries(bindings).map(([slug, connection_id]) => [slug, { connection_id }]),
            ),
          }),
    },
  }).then((made) => {
    if (made.kind !== 'created') throw new Error(made.reason)
    return { project_id: place.project_id, session_id: made.session.session_id }
  })

test('a required connector has to be connected, and a default of the project is enough', async () => {
  await expect(start(place.person, 'needy')).rejects.toMatchObject({
    code: 'connector_not_connected',
    details: {
      connectors: [
        {
          slug: 'crm',
          connect_url: expect.stringContaining(`/dashboard/projects/${place.project_id}/connectors/crm`),
        },
      ],
    },
  })
  const failed = fireTrigger(place.person, { project_id: place.project_id, slug: 'nightly' })
  await expect(failed).rejects.toMatchObject({ code: 'connector_not_connected' })
  const { connection_id } = await connect(place.person, 'crm', 'project', 'team')
  const session = await start(place.person, 'needy')
  expect(await getSessionConnectors(place.person, session)).toMatchObject({
    connector_bindings: {},
    connectors: [{ slug: 'crm', connected: true, connection: { connection_id, scope: 'project' } }],
  })
  // Connected, the trigger fires with nothing else to do.
  expect(await fireTrigger(place.person, { project_id: place.project_id, slug: 'nightly' })).toMatchObject({
    status: 'fired',
  })
})

describe('a choice of a connection', () => {
  test.each<[string, () => Promise<Record<string, string>>, string]>([
    [
      'is one that there is',
      async () => ({ crm: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
      'is no connection',
    ],
    ['has the form of an id', async () => ({ crm: 'of crm' }), 'is no connection'],
    [
      'is of its connector',
      async () => ({ crm: (await connect(place.person, 'tracker', 'project')).connection_id }),
      'is a connection of tracker',
    ],
    [
      'is not another person’s',
      async () => ({ crm: (await connect(await place.as(editor), 'crm', 'personal')).connection_id }),
      'is no connection',
    ],
    [
      'is active',
      async () => {
        const { connection_id } = await connect(place.person, 'crm', 'project')
        await deleteConnection(place.person, { project_id: place.project_id, slug: 'crm', connection_id })
        return { crm: connection_id }
      },
      'is revoked',
    ],
  ])('%s', async (_, choose, message) => {
    await expect(start(place.person, 'open', await choose())).rejects.toMatchObject({
      code: 'INVALID_SESSION_CONNECTOR_BINDINGS',
      details: { issues: [{ path: 'connector_bindings.crm', message: expect.stringContaining(message) }] },
    })
  })

  test('holds from the next call on, and is what the call is made with', async () => {
    const { connection_id } = await connect(place.person, 'crm', 'project', 'other')
    const session = await start(place.person, 'open')
    const set = await setSessionConnectors(place.person, {
      ...session,
      connector_bindings: { crm: { connection_id } },
    })
    expect(set.connector_bindings).toEqual({ crm: { connection_id } })
    expect(set.connectors).toMatchObject([
      { slug: 'tracker' },
      { slug: 'crm', connection: { connection_id, label: 'other' } },
      { slug: 'mine', connected: false, connection: null },
    ])
    const back = await setSessionConnectors(place.person, { ...session, connector_bindings: {} })
    expect(back.connectors[1]?.connection?.connection_id).not.toBe(connection_id)
    const refused = { ...session, connector_bindings: { ghost: { connection_id } } }
    await expect(setSessionConnectors(place.person, refused)).rejects.toMatchObject({
      code: 'INVALID_SESSION_CONNECTOR_BINDINGS',
      details: { issues: [{ path: 'connector_bindings.ghost' }] },
    })
  })

  test('is of the owner, or of one who manages the project', async () => {
    const session = await start(place.person, 'open')
    for (const who of [editor, member])
      await expect(
        setSessionConnectors(await place.as(who), { ...session, connector_bindings: {} }),
      ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('an own connection', () => {
  test('works in a private session of its person, and keeps it private', async () => {
    await expect(start(place.person, 'own')).rejects.toMatchObject({ code: 'connector_not_connected' })
    await connect(place.person, 'mine', 'personal', 'me')
    const session = await start(place.person, 'own')
    expect((await getSessionConnectors(place.person, session)).connectors).toMatchObject([
      { slug: 'mine', connected: true, connection: { label: 'me', scope: 'personal' } },
    ])
    await expect(updateSession(place.person, { ...session, visibility: 'project' })).rejects.toMatchObject({
      code: 'PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION',
      details: { connectors: ['mine'] },
    })
    // Not even one who manages the project speaks to an agent that acts as its owner.
    const manager = await place.as(await addMember(world, place.project, 'manager'))
    await expect(promptSession(manager, { ...session, text: 'Do it as them' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(getSessionConnectors(manager, session)).rejects.toMatchObject({ code: 'forbidden' })
    // Another person has none.
    await expect(start(await place.as(editor), 'own')).rejects.toMatchObject({
      code: 'connector_not_connected',
      message: expect.stringContaining('no connection of yours'),
    })
  })

  test('that came later makes the session its person’s alone with the first call', async () => {
    const later = await openPlace(world, executor, service, {
      more: more(),
      agents,
    })
    const { project_id, person } = later
    const made = await createSession(person, {
      ...{ project_id, respond_async: false, body: { agent_name: 'open' } },
    })
    if (made.kind !== 'created') throw new Error(made.reason)
    const key = { project_id, session_id: made.session.session_id }
    const holds = async () =>
      (
        await world.db
          .selectFrom('project_sessions')
          .select('holds_personal_secrets')
          .where('session_id', '=', key.session_id)
          .executeTakeFirstOrThrow()
      ).holds_personal_secrets
    await createConnection(person, {
      ...{ project_id, slug: 'mine', scope: 'personal', credential: { token: 'tok-later' } },
    })
    expect(await holds()).toBe(false)
    const agent = { ...later.agent, principal: { ...later.agent.principal, session_id: key.session_id } }
    const outcome = await callConnector(agent as typeof later.agent, {
      ...{ project_id, connector: 'mine', action: 'get', args: { path: '/a' } },
      ...{ wait_seconds: 20, door: 'executor' },
    })
    expect(outcome).toMatchObject({ ok: true })
    expect(await holds()).toBe(true)
  })

  test('is not chosen for a shared session', async () => {
    const { connection_id } = await connect(place.person, 'crm', 'personal', 'me')
    const session = await start(place.person, 'needy')
    await updateSession(place.person, { ...session, visibility: 'project' })
    const choice = { ...session, connector_bindings: { crm: { connection_id } } }
    await expect(setSessionConnectors(place.person, choice)).rejects.toMatchObject({
      code: 'PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION',
    })
    await updateSession(place.person, { ...session, visibility: 'private' })
    await setSessionConnectors(place.person, choice)
    await expect(updateSession(place.person, { ...session, visibility: 'project' })).rejects.toMatchObject({
      code: 'PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION',
    })
  })
})

describe('the connections of a trigger', () => {
  const key = () => ({ project_id: place.project_id, slug: 'nightly' })

  test('are the project’s, and what its sessions get', async () => {
    const { connection_id } = await connect(place.person, 'crm', 'project', 'night')
    const own = await connect(place.person, 'crm', 'personal', 'me')
    await expect(
      setTriggerBindings(place.person, {
        ...key(),
        connector_bindings: { crm: { connection_id: own.connection_id } },
      }),
    ).rejects.toMatchObject({
      code: 'INVALID_SESSION_CONNECTOR_BINDINGS',
      details: { issues: [{ path: 'connector_bindings.crm' }] },
    })
    await setTriggerBindings(place.person, { ...key(), connector_bindings: { crm: { connection_id } } })
    expect(await getTriggerBindings(place.person, key())).toEqual({
      trigger: 'nightly',
      connector_bindings: { crm: { connection_id } },
    })
    const fired = await fireTrigger(place.person, key())
    if (fired.status !== 'fired') throw new Error(fired.reason)
    const { session_id, project_id } = { ...fired, ...key() }
    expect((await getSessionConnectors(place.person, { project_id, session_id })).connectors).toMatchObject([
      { slug: 'crm', connection: { connection_id, label: 'night' } },
    ])
    await deleteConnection(place.person, { project_id, slug: 'crm', connection_id })
    await expect(fireTrigger(place.person, key())).rejects.toMatchObject({
      code: 'INVALID_SESSION_CONNECTOR_BINDINGS',
    })
    await setTriggerBindings(place.person, { ...key(), connector_bindings: {} })
    expect(await fireTrigger(place.person, key())).toMatchObject({ status: 'fired' })
  })

  test('are of the triggers that there are', async () => {
    await expect(
      setTriggerBindings(place.person, { ...key(), slug: 'ghost', connector_bindings: {} }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('connections without a default among them are said to be that', async () => {
  const { project_id } = place
  const made = await connect(place.person, 'crm', 'project', 'last')
  const all = await listConnections(place.person, { project_id, slug: 'crm' })
  for (const { connection_id, is_default, scope } of all.connections)
    if (is_default && scope === 'project')
      await deleteConnection(place.person, { project_id, slug: 'crm', connection_id })
  await expect(start(place.person, 'needy')).rejects.toMatchObject({
    code: 'connector_not_connected',
    message: expect.stringContaining('no default among its connections'),
  })
  await updateConnection(place.person, {
    ...{ project_id, slug: 'crm', connection_id: made.connection_id },
    default: true,
  })
  await start(place.person, 'needy')
})

test('an idempotency_key answers the same request, and refuses another', async () => {
  const call = (path: string) =>
    callConnector(place.agent, {
      ...{ project_id: place.project_id, connector: 'tracker', action: 'get', args: { path } },
      ...{ wait_seconds: 20, door: 'executor' as const, idempotency_key: 'once' },
    })
  const first = await call('/a')
  expect((await call('/a')).call_id).toBe(first.call_id)
  await expect(call('/b')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_CONFLICT',
    message: expect.stringContaining('other arguments'),
  })
})
