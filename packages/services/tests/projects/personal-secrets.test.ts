import type { Context } from '@svc/context'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  authorizeProxy,
  deletePersonalSecret,
  getSession,
  getSessionTranscript,
  listPersonalSecrets,
  listPrompts,
  listSecretAccesses,
  listSessionEvents,
  promptSession,
  putPersonalSecret,
  putSecret,
  restartSession,
  sweepOldRecords,
  updateSession,
} from '../../src/index.ts'
import { addMember, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

const secret = 'only-mine-8f1c'
const manifest = (secrets: string) =>
  `svc_version: 2\ndefault_agent: a\nagents: { a: { secrets: ${secrets}, svc_cli: all } }\n`

/** A project whose agent may have every secret, with one of its own and two of its owner's. */
async function projectWithSecrets(allowed = 'all'): Promise<TestProject> {
  const project = await makeProject(world)
  const { ctx, project_id } = project
  await project.commit('main', { 'svc.yaml': manifest(allowed) })
  await putSecret(ctx, { project_id, name: 'SHARED', value: 'everybody' })
  await putSecret(ctx, { project_id, name: 'BOTH', value: 'everybody' })
  await putPersonalSecret(ctx, { project_id, name: 'MINE', value: secret })
  await putPersonalSecret(ctx, { project_id, name: 'BOTH', value: secret })
  return project
}

const member = async (project: TestProject, role: 'viewer' | 'member' | 'manager' = 'member') =>
  world.as((await addMember(world, project, role)).principal)

/** The environment of a session that this person starts. */
async function bornWith(project: TestProject, ctx: Context, body = {}) {
  const session = await newSession(world, project, body, ctx)
  await world.queue.drain()
  const { SHARED, MINE, BOTH, SVC_PROJECT_SECRET_NAMES } = await session.environment()
  return { session, given: { SHARED, MINE, BOTH }, names: SVC_PROJECT_SECRET_NAMES?.split(',').sort() }
}

test('names come back, values do not, and nobody else sees either', async () => {
  const project = await projectWithSecrets()
  const { project_id, ctx } = project
  const listed = await listPersonalSecrets(ctx, { project_id })
  expect(listed.items.map(({ name }) => name)).toEqual(['BOTH', 'MINE'])
  const { rows } = await sql`select s::text from personal_secrets s`.execute(world.db)
  expect(JSON.stringify([listed, rows])).not.toContain(secret)
  const other = await member(project, 'manager')
  expect((await listPersonalSecrets(other, { project_id })).items).toEqual([])
  await expect(deletePersonalSecret(other, { project_id, name: 'MINE' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test.each([
  ['SVC_X', 'x', 'SECRET_NAME_RESERVED'],
  ['A-B', 'x', 'invalid_request'],
  ['A', 'x'.repeat(65_537), 'invalid_request'],
])('the name %s is judged as for a project', async (name, value, code) => {
  const { ctx, project_id } = await makeProject(world)
  await expect(putPersonalSecret(ctx, { project_id, name, value })).rejects.toMatchObject({ code })
})

test('viewers and agents have none to set', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const session = await newSession(world, project)
  const agent = world.as(
    agentPrincipal({ ...session.key, created_by: session.created_by }, ['project.session.start']),
  )
  for (const ctx of [await member(project, 'viewer'), agent])
    await expect(putPersonalSecret(ctx, { project_id, name: 'A', value: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
})

describe('who is given one', () => {
  test('its owner’s own session, in the place of the project’s', async () => {
    const project = await projectWithSecrets()
    const { given, names, session } = await bornWith(project, project.ctx)
    expect(given).toEqual({ SHARED: 'everybody', MINE: secret, BOTH: secret })
    expect(names).toEqual(['BOTH', 'MINE', 'SHARED'])
    expect((await session.row()).holds_personal_secrets).toBe(true)
  })

  test('nobody else’s session', async () => {
    const project = await projectWithSecrets()
    const { given, session } = await bornWith(project, await member(project))
    expect(given).toEqual({ SHARED: 'everybody', BOTH: 'everybody', MINE: undefined })
    expect((await session.row()).holds_personal_secrets).toBe(false)
  })

  test('none that the agent’s list or the creator’s leaves out', async () => {
    const project = await projectWithSecrets('[SHARED, MINE]')
    const all = await bornWith(project, project.ctx)
    expect(all.given).toEqual({ SHARED: 'everybody', MINE: secret, BOTH: undefined })
    const own = await bornWith(project, project.ctx, { secrets: ['SHARED'] })
    expect(own.given).toEqual({ SHARED: 'everybody', MINE: undefined, BOTH: undefined })
    expect((await own.session.row()).holds_personal_secrets).toBe(false)
  })

  test('no session that an agent of theirs starts', async () => {
    const project = await projectWithSecrets()
    const { session } = await bornWith(project, project.ctx, { secrets: ['SHARED'] })
    const agent = agentPrincipal({ ...session.key, created_by: session.created_by }, [
      'project.session.start',
    ])
    expect((await bornWith(project, world.as(agent))).given.MINE).toBeUndefined()
  })

  test('none any more after it was deleted and the sandbox made anew', async () => {
    const project = await projectWithSecrets()
    const { session } = await bornWith(project, project.ctx)
    for (const name of ['MINE', 'BOTH']) await deletePersonalSecret(project.ctx, { ...session.key, name })
    await restartSession(project.ctx, session.key)
    await world.queue.drain()
    expect(await session.environment()).toMatchObject({ SHARED: 'everybody', BOTH: 'everybody' })
    expect((await session.environment())['MINE']).toBeUndefined()
  })
})

describe('a session that was given one', () => {
  const looks: [string, (ctx: Context, session: TestSession) => Promise<unknown>][] = [
    ['its events', (ctx, { key }) => listSessionEvents(ctx, { ...key, after: 0, limit: 10 })],
    ['its transcript', (ctx, { key }) => getSessionTranscript(ctx, key)],
    ['its inbox', (ctx, { key }) => listPrompts(ctx, { ...key, limit: 10 })],
    ['its agent', (ctx, { key }) => promptSession(ctx, { ...key, text: 'env' })],
    [
      'its sandbox',
      async (ctx, session) =>
        authorizeProxy(ctx, {
          external_id: (await session.sandbox()).external_id ?? '',
          port: 8000,
          path: '/svc/runtime/messages',
          method: 'GET',
        }),
    ],
  ]

  test('shows what it did to its owner and to nobody else', async () => {
    const project = await projectWithSecrets()
    const { session } = await bornWith(project, project.ctx)
    const manager = await member(project, 'manager')
    const { key, created_by } = session
    const grant = ['project.session.read', 'project.session.start'] as const
    const self = world.as(agentPrincipal({ ...key, created_by }, grant))
    const foreign = await newSession(world, project)
    const other = world.as(agentPrincipal({ ...foreign.key, created_by }, grant))
    for (const [, look] of looks) {
      await look(project.ctx, session)
      await look(self, session)
      await expect(look(manager, session)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(look(other, session)).rejects.toMatchObject({
        code: expect.stringMatching(/forbidden|not_found/),
      })
    }
    expect(await getSession(manager, key)).toMatchObject({ visibility: 'private' })
  })

  test('cannot be shared, not even by its owner', async () => {
    const project = await projectWithSecrets()
    const { session } = await bornWith(project, project.ctx)
    await expect(updateSession(project.ctx, { ...session.key, visibility: 'project' })).rejects.toMatchObject(
      { code: 'PERSONAL_SECRET_REQUIRES_PRIVATE_SESSION' },
    )
    expect((await session.row()).visibility).toBe('private')
    await expect(
      sql`update project_sessions set visibility = 'project' where session_id = ${session.session_id}`.execute(
        world.db,
      ),
    ).rejects.toThrow('project_sessions_personal')
  })
})

describe('a shared session', () => {
  test('is driven by whoever may start one, until it is private again', async () => {
    const project = await makeProject(world)
    const { key } = await runningSession(world, project)
    const [other, viewer] = [await member(project), await member(project, 'viewer')]
    const prompt = (ctx: Context) => promptSession(ctx, { ...key, text: 'hello' })
    await expect(prompt(other)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(updateSession(other, { ...key, visibility: 'project' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await updateSession(project.ctx, { ...key, visibility: 'project' })).toMatchObject({
      visibility: 'project',
    })
    await prompt(other)
    await expect(prompt(viewer)).rejects.toMatchObject({ code: 'forbidden' })
    await updateSession(project.ctx, { ...key, visibility: 'private' })
    await expect(prompt(other)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('gets nobody’s own secrets, shared before its sandbox was made', async () => {
    const project = await projectWithSecrets()
    const session = await newSession(world, project)
    await updateSession(project.ctx, { ...session.key, visibility: 'project' })
    await world.queue.drain()
    expect((await session.environment())['MINE']).toBeUndefined()
    expect(await session.environment()).toMatchObject({ BOTH: 'everybody' })
  })
})

describe('the access log', () => {
  test('tells which sandbox was given which names, with one’s own to oneself alone', async () => {
    const project = await projectWithSecrets()
    const { project_id, ctx, owner } = project
    const { session } = await bornWith(project, ctx)
    const [own] = (await listSecretAccesses(ctx, { project_id, limit: 50 })).accesses
    expect(own).toMatchObject({
      session_id: session.session_id,
      agent_name: 'a',
      user_id: owner.user_id,
      names: ['SHARED'],
      personal_names: ['BOTH', 'MINE'],
    })
    const other = await member(project)
    const page = async (name: string) =>
      (await listSecretAccesses(other, { project_id, limit: 50, name })).accesses
    expect(await page('SHARED')).toMatchObject([{ names: ['SHARED'], personal_names: [] }])
    expect(await page('MINE')).toEqual([])
    expect(JSON.stringify(own)).not.toContain(secret)
    const viewer = await member(project, 'viewer')
    await expect(listSecretAccesses(viewer, { project_id, limit: 1 })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('is read page by page, and by session', async () => {
    const project = await projectWithSecrets()
    const { project_id, ctx } = project
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await bornWith(project, ctx)).session.session_id)
      world.clock.advance(1000)
    }
    const first = await listSecretAccesses(ctx, { project_id, limit: 2 })
    const rest = await listSecretAccesses(ctx, { project_id, limit: 2, cursor: first.next_cursor ?? '' })
    expect([...first.accesses, ...rest.accesses].map(({ session_id }) => session_id)).toEqual(ids)
    expect(rest.next_cursor).toBeNull()
    const [session_id = ''] = ids
    expect((await listSecretAccesses(ctx, { project_id, limit: 9, session_id })).accesses).toHaveLength(1)
  })

  test('is kept for as long as the operator says', async () => {
    const project = await projectWithSecrets()
    const { project_id, ctx } = project
    await bornWith(project, ctx)
    const left = async () => (await listSecretAccesses(ctx, { project_id, limit: 9 })).accesses.length
    const nothing = { SVC_AUDIT_DAYS: 0, SVC_DELETED_SESSION_DAYS: 0, SVC_WORK_HISTORY_DAYS: 0 }
    const sweep = (SVC_SECRET_ACCESS_DAYS: number) =>
      sweepOldRecords(world.worker(), { ...nothing, SVC_SECRET_ACCESS_DAYS })
    world.clock.advance(10 * 24 * 3_600_000)
    await sweep(0)
    await sweep(11)
    expect(await left()).toBe(1)
    await sweep(9)
    expect(await left()).toBe(0)
  })

  test('is silent about a session without secrets', async () => {
    const project = await makeProject(world)
    await runningSession(world, project)
    const { accesses } = await listSecretAccesses(project.ctx, { project_id: project.project_id, limit: 1 })
    expect(accesses).toEqual([])
  })
})
