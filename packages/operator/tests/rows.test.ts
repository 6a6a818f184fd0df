import { randomBytes } from 'node:crypto'
import { createChangeRequest, mergeChangeRequest } from '@svc/services'
import { makeProject, newSession, openWorld, runningSession } from '@svc/services/testing'
import { createVault } from '@svc/vault'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checksOf, runChecks } from '../src/index.ts'
import { checkContext, checker } from './support.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { project_id, ctx } = project
const check = checker(world)
const minutes = (count: number) => count * 60_000

test('a merge that was planned and not finished is asked for again, and ends', async () => {
  const cr = await project.propose('planned')
  const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
  await expect(mergeChangeRequest(hurried, { project_id, cr: cr.cr_id })).rejects.toThrow()
  world.queue.drop()
  const [base, head] = [await project.tip('main'), await project.tip('planned')]
  await sql`
    insert into merge_intents (intent_id, attempt_id, cr_id, base_ref, base_sha, head_sha, commit_sha, fast_forward, created_at)
    select gen_random_uuid(), attempt_id, cr_id, 'main', ${base}, ${head}, ${head}, true, ${world.clock.now()}
    from merge_attempts where cr_id = ${cr.cr_id}`.execute(world.db)
  world.clock.advance(minutes(9))
  expect(await check('intent_unfinished')).toEqual([])
  expect(await check('work_stuck')).toEqual([])
  world.clock.advance(minutes(2))
  expect(await check('work_stuck')).toMatchObject([{ subject: expect.stringMatching(/^work\/merge:/) }])
  expect(await check('intent_unfinished', { project_id, repair: true })).toMatchObject([
    { project_id, subject: `change-requests/${cr.cr_id}`, repairable: true, repaired: true },
  ])
  await world.queue.drain()
  expect(await project.tip('main')).toBe(head)
  expect(await check('intent_unfinished')).toEqual([])
})

test('work that is owed for ten minutes without a worker is asked for', async () => {
  const session = await newSession(world, project)
  world.queue.drop()
  world.clock.advance(minutes(11))
  const other = await makeProject(world, project.owner)
  expect(await check('work_stuck', { project_id: other.project_id })).toEqual([])
  expect(await check('work_stuck', { repair: true })).toMatchObject([
    { severity: 'warning', project_id, subject: `work/provision:${session.session_id}`, repaired: true },
  ])
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(await check('work_stuck')).toEqual([])
})

test('a number that would be given twice, and a log that would be', async () => {
  const cr = await project.propose('numbered')
  expect(await check('cr_number_behind')).toEqual([])
  await sql`update projects set last_cr_number = 0 where project_id = ${project_id}`.execute(world.db)
  expect(await check('cr_number_behind', { project_id, repair: true })).toMatchObject([
    { project_id, repaired: true },
  ])
  expect(await check('cr_number_behind')).toEqual([])
  await project.commit('next', { 'next.txt': 'x\n' }, 'Next', { from: 'main' })
  const next = await createChangeRequest(ctx, { project_id, title: 'Next', head_ref: 'next' })
  expect(next.number).toBe(cr.number + 1)

  const session = await runningSession(world, project)
  expect(await check('sequence_behind')).toEqual([])
  const { last_event_seq } = await session.row()
  await sql`update project_sessions set last_event_seq = 0 where session_id = ${session.session_id}`.execute(
    world.db,
  )
  await sql`select setval('shown_revisions', 1)`.execute(world.db)
  const found = await check('sequence_behind', { repair: true })
  expect(found.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['sequences/shown_revisions', `sessions/${session.session_id}`]),
  )
  expect(found.every(({ repaired }) => repaired)).toBe(true)
  expect(await check('sequence_behind')).toEqual([])
  expect((await session.row()).last_event_seq).toBe(last_event_seq)
})

test('a migration with other statements, a log that was changed, a key that no master key opens', async () => {
  for (const name of ['migration_drift', 'audit_chain', 'key_unopenable'] as const)
    expect(await check(name)).toEqual([])
  const { account_id } = project
  await sql`alter table audit_events disable trigger user`.execute(world.db)
  await sql`update audit_events set target = 'x' where account_id = ${account_id} and seq = 1`.execute(
    world.db,
  )
  await sql`alter table audit_events enable trigger user`.execute(world.db)
  expect(await check('audit_chain', { repair: true })).toMatchObject([
    { subject: `audit/${account_id}`, repairable: false, repaired: false },
  ])
  await sql`update schema_migrations set checksum = 'x' where name = '20261124T1844-job-failures'`.execute(
    world.db,
  )
  expect(await check('migration_drift')).toMatchObject([
    { subject: 'migrations/20261124T1844-job-failures', severity: 'warning' },
  ])
  const vault = createVault(randomBytes(32), { key_id: 'other' })
  const wanted = checksOf({ checks: ['key_unopenable'], project_id: null })
  const { findings } = await runChecks(checkContext(world, { vault }), wanted, {
    project_id: null,
    repair: true,
  })
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'key_unopenable',
      subject: `projects/${project_id}`,
      repairable: false,
    }),
  )
})
