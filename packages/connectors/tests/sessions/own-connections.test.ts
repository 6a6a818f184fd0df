import { promptSession, updateSession } from '@svc/services'
import { addMember } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import { callConnector, getSessionConnectors, setSessionConnectors } from '../../src/index.ts'
import { connector, openStage, starter } from './support.ts'

const { world, place, openNeedy, connect, start } = await openStage()
const editor = await addMember(world, place.project, 'editor')
// A project's own connection of what is bound to a person's further down.
await connect(place.person, 'crm', 'project', 'team')

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
    const later = await openNeedy()
    const { project_id, person } = later
    const key = await starter(later)(person, 'open')
    const holds = async () =>
      (
        await world.db
          .selectFrom('project_sessions')
          .select('holds_personal_secrets')
          .where('session_id', '=', key.session_id)
          .executeTakeFirstOrThrow()
      ).holds_personal_secrets
    await connector(later)(person, 'mine', 'personal', 'later')
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
