import { sessionWork } from '@svc/db'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  deletePersonalSecret,
  deleteSecret,
  listSecretAccesses,
  promptSession,
  putPersonalSecret,
  putSecret,
  startSession,
  stopSession,
  sweepOwedSecrets,
} from '../../src/index.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
beforeEach(() => {
  world.daemon.asked.splice(0)
  world.daemon.env_status = 200
})

const put = ({ ctx, project_id }: TestProject, name: string, value: string) => {
  world.clock.advance(1_000)
  return putSecret(ctx, { project_id, name, value })
}
const remove = ({ ctx, project_id }: TestProject, name: string) => deleteSecret(ctx, { project_id, name })
const accesses = async ({ ctx, project_id }: TestProject) =>
  (await listSecretAccesses(ctx, { project_id, limit: 50 })).accesses.map(({ names, personal_names }) => [
    ...names,
    ...personal_names,
  ])

async function sweep(): Promise<number> {
  const owed = await sweepOwedSecrets(world.base)
  await world.queue.drain()
  return owed
}

async function stopped(project: TestProject, session: TestSession): Promise<void> {
  world.queue.live = true
  await stopSession(project.ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
}

const requests = () => world.daemon.asked.map(({ body }) => body)

test.each([
  [
    'a start',
    (project: TestProject, { key }: TestSession) =>
      startSession(world.as(project.owner.principal, { signal: AbortSignal.abort() }), key),
  ],
  [
    'a prompt',
    (project: TestProject, { key }: TestSession) => promptSession(project.ctx, { ...key, text: 'go on' }),
  ],
] as const)(
  '%s gives a sleeping session the secrets of today, and what is deleted is gone',
  async (_, wake) => {
    const project = await makeProject(world)
    await put(project, 'GONE', 'g')
    await put(project, 'ROTATED', 'one')
    const session = await runningSession(world, project)
    const before = await session.environment()
    await stopped(project, session)
    await put(project, 'ROTATED', 'two')
    await put(project, 'NEW', 'n')
    await remove(project, 'GONE')
    await wake(project, session)
    await world.queue.drain()
    const after = await session.environment()
    const { GONE: _gone, ...kept } = before
    expect(after).toEqual({
      ...kept,
      ROTATED: 'two',
      NEW: 'n',
      SVC_PROJECT_SECRET_NAMES: 'NEW,ROTATED',
      SVC_PROJECT_SECRETS_REVISION: after['SVC_PROJECT_SECRETS_REVISION'],
    })
    expect(after['SVC_PROJECT_SECRETS_REVISION']).not.toBe(before['SVC_PROJECT_SECRETS_REVISION'])
    expect(await accesses(project)).toEqual([
      ['NEW', 'ROTATED'],
      ['GONE', 'ROTATED'],
    ])
    expect(await sweep()).toBe(0)
  },
)

test('a start without a change gives nothing, and writes nothing down', async () => {
  const project = await makeProject(world)
  await put(project, 'A', 'a')
  const session = await runningSession(world, project)
  const before = await session.environment()
  await stopped(project, session)
  await startSession(world.as(project.owner.principal, { signal: AbortSignal.abort() }), session.key)
  await world.queue.drain()
  expect(await session.environment()).toEqual(before)
  expect(await accesses(project)).toEqual([['A']])
})

test('a running session is told by its daemon, and its next start has the same', async () => {
  const project = await makeProject(world)
  await put(project, 'GONE', 'g')
  await put(project, 'SAME', 's')
  const session = await runningSession(world, project)
  await sweep()
  world.daemon.asked.splice(0)
  await put(project, 'NEW', 'n')
  await remove(project, 'GONE')
  expect(await sweep()).toBe(1)
  const environment = await session.environment()
  expect(requests()).toEqual([
    {
      set: { NEW: 'n', SAME: 's' },
      unset: ['GONE'],
      revision: environment['SVC_PROJECT_SECRETS_REVISION'],
    },
  ])
  expect(environment).toMatchObject({ NEW: 'n', SAME: 's', SVC_PROJECT_SECRET_NAMES: 'NEW,SAME' })
  expect(environment).not.toHaveProperty('GONE')
  expect(await accesses(project)).toEqual([['NEW'], ['GONE', 'SAME']])
  expect(await sweep()).toBe(0)
})

test('a value that is written again and stays the same restarts nobody', async () => {
  const project = await makeProject(world)
  await put(project, 'SAME', 's')
  await runningSession(world, project)
  await put(project, 'SAME', 's')
  expect(await sweep()).toBe(1)
  expect(requests()).toEqual([])
  expect(await sweep()).toBe(0)
})

test('a daemon that does not take them is told again', async () => {
  const project = await makeProject(world)
  const session = await runningSession(world, project)
  await put(project, 'NEW', 'n')
  world.daemon.env_status = 500
  await expect(sweep()).rejects.toThrow('500')
  expect(await session.environment()).not.toHaveProperty('NEW')
  world.daemon.env_status = 200
  expect(await sweep()).toBe(1)
  expect(await session.environment()).toMatchObject({ NEW: 'n' })
})

test('a session only gets what it may have: its own list, and personal secrets for its owner alone', async () => {
  const project = await makeProject(world)
  const { ctx, project_id } = project
  await put(project, 'ALLOWED', 'before')
  const narrow = await runningSession(world, project, { secrets: ['ALLOWED'] })
  const shared = await runningSession(world, project)
  await world.db
    .updateTable('project_sessions')
    .set({ visibility: 'project' })
    .where('session_id', '=', shared.session_id)
    .execute()
  const own = await runningSession(world, project)
  for (const name of ['ALLOWED', 'OTHER']) await put(project, name, name)
  await putPersonalSecret(ctx, { project_id, name: 'MINE', value: 'm' })
  await sweep()
  const names = async (session: TestSession) => (await session.environment())['SVC_PROJECT_SECRET_NAMES']
  expect(await names(narrow)).toBe('ALLOWED')
  expect(await names(shared)).toBe('ALLOWED,OTHER')
  expect(await names(own)).toBe('ALLOWED,OTHER,MINE')
  expect((await own.row()).holds_personal_secrets).toBe(true)
  await deletePersonalSecret(ctx, { project_id, name: 'MINE' })
  await sweep()
  expect(await names(own)).toBe('ALLOWED,OTHER')
  expect(await own.environment()).not.toHaveProperty('MINE')
})

test('the sweep is driven by an index of sandboxes that run and are owed something', async () => {
  const project = await makeProject(world)
  const session = await runningSession(world, project)
  await put(project, 'NEW', 'one')
  const { owed, scans } = await world.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const owed = await sessionWork.listOwedSecrets(tx, 100)
    const { rows } = await sql<{ scans: string }>`
      select pg_stat_get_xact_numscans('session_sandboxes_owing'::regclass) as scans`.execute(tx)
    return { owed, scans: Number(rows[0]?.scans) }
  })
  expect(owed).toContain(session.session_id)
  expect(scans).toBeGreaterThan(0)
  await stopped(project, session)
  expect(await sessionWork.listOwedSecrets(world.db, 100)).not.toContain(session.session_id)
})
