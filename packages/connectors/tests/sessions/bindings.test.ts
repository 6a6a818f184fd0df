import { fireTrigger } from '@svc/services'
import { addMember } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  callConnector,
  deleteConnection,
  getSessionConnectors,
  getTriggerBindings,
  listConnections,
  setSessionConnectors,
  setTriggerBindings,
  updateConnection,
} from '../../src/index.ts'
import { openStage } from './support.ts'

const { world, place, connect, start } = await openStage()
const editor = await addMember(world, place.project, 'editor')
const viewer = await addMember(world, place.project, 'viewer')

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
    for (const who of [editor, viewer])
      await expect(
        setSessionConnectors(await place.as(who), { ...session, connector_bindings: {} }),
      ).rejects.toMatchObject({ code: 'forbidden' })
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
