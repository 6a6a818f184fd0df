import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeChangeRequest, deleteSession, sweepSessionBranches } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'
import { done, killedAt, runProgram } from '../support/step.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx, project_id } = project
const dayMs = 24 * 3_600_000
const sweep = (days = 1) => sweepSessionBranches(world.base, days * dayMs)
const branches = async () =>
  (await project.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/')).split('\n')
const rowOf = ({ session_id }: TestSession) =>
  world.db
    .selectFrom('session_branches')
    .selectAll()
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()

/** A session whose branch has a commit of its own. */
async function worked(): Promise<TestSession> {
  const session = await runningSession(world, project)
  await project.commit(session.session_id, { [`${session.session_id}.txt`]: 'work\n' }, 'Work')
  return session
}
async function removed(session: TestSession): Promise<void> {
  await deleteSession(ctx, session.key)
  await world.queue.drain()
}
/** The branch as its bundle brings it to a clone. */
async function bundled(session: TestSession): Promise<string> {
  const { object_key, tip } = await rowOf(session)
  const git_dir = world.gitDir(project_id)
  const path = join(world.objects_dir, object_key ?? '')
  execFileSync('git', [
    '-C',
    git_dir,
    'fetch',
    '-q',
    path,
    `refs/heads/${session.session_id}:refs/restored/${tip}`,
  ])
  return project.git('rev-parse', `refs/restored/${tip}`)
}

test('the branch of a deleted session is bundled and goes; others stay', async () => {
  const [gone, merged, live, based, proposed] = [
    await worked(),
    await runningSession(world, project),
    await worked(),
    await worked(),
    await worked(),
  ]
  const tip = await project.tip(gone.session_id)
  const cr = await project.propose('another', undefined, { base_ref: proposed.session_id })
  await newSession(world, project, { base_ref: based.session_id })
  for (const session of [gone, merged, based, proposed]) await removed(session)
  expect([await sweep(0), await sweep()]).toEqual([0, 0])
  world.clock.advance(2 * dayMs)

  // A store that does not keep what it was given keeps the branches.
  const { put } = world.base.objects
  const lossy = {
    ...world.base.objects,
    put: async (key: string) => put.call(world.base.objects, key, Buffer.from('x')),
  }
  expect(await sweepSessionBranches({ ...world.base, objects: lossy }, dayMs)).toBe(0)
  expect(await branches()).toContain(gone.session_id)

  expect(await sweep()).toBe(2)
  const left = await branches()
  expect(left).not.toContain(gone.session_id)
  expect(left).not.toContain(merged.session_id)
  for (const { session_id } of [live, based, proposed]) expect(left).toContain(session_id)
  expect(await rowOf(gone)).toMatchObject({ state: 'removed', tip })
  expect(await bundled(gone)).toBe(tip)
  expect(await bundled(merged)).toBe(await project.tip('main'))

  await closeChangeRequest(ctx, { project_id, cr: cr.cr_id })
  expect(await sweep()).toBe(1)
  expect(await branches()).not.toContain(proposed.session_id)
})

test('a removal that is killed at any step loses nothing, and the next one ends it', async () => {
  const session = await worked()
  const tip = await project.tip(session.session_id)
  await removed(session)
  world.clock.advance(2 * dayMs)
  const root = join(world.gitDir(project_id), '..')
  const args = [world.connection_string, root, world.objects_dir, world.clock.now().toISOString()]
  for (const step of [
    'before the bundle is stored',
    'while it is read back',
    'before the branch is removed',
  ]) {
    await killedAt(runProgram(new URL('../support/run-branches.ts', import.meta.url), [...args, step]), step)
    expect(await project.tip(session.session_id)).toBe(tip)
  }
  await killedAt(
    runProgram(new URL('../support/run-branches.ts', import.meta.url), [
      ...args,
      'after the branch was removed',
    ]),
    'after the branch was removed',
  )
  expect(await branches()).not.toContain(session.session_id)
  expect(await rowOf(session)).toMatchObject({ state: 'bundled', tip })
  await Promise.all([
    done(runProgram(new URL('../support/run-branches.ts', import.meta.url), args)),
    done(runProgram(new URL('../support/run-branches.ts', import.meta.url), args)),
  ])
  expect(await rowOf(session)).toMatchObject({ state: 'removed', tip })
  expect(await bundled(session)).toBe(tip)
})
