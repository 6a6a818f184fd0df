import { changeRequests, merges, projects } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { runMergeAttempt } from '../../src/index.ts'
import { dieAt } from '../support/faults.ts'
import { askForMerge, expectAgreement } from '../support/merges.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

async function crash(step: number, attempt_id: string): Promise<boolean> {
  const fault = dieAt(step)
  const { db, repositories } = world.base
  const ctx = world.worker({ db: fault.db(db), repositories: fault.repositories(repositories) })
  await runMergeAttempt(ctx, { attempt_id }).catch((error: unknown) => {
    if (!fault.died) throw error
  })
  return fault.died
}

interface Scene {
  readonly project: TestProject
  readonly kind: 'fast_forward' | 'merge_commit'
  readonly shas: { readonly head: string; readonly base: string; readonly later: string }
}

/** Commits that every change request of a test is made of. */
async function makeScene(kind: Scene['kind']): Promise<Scene> {
  const project = await makeProject(world)
  const first = await project.commit('base', { 'a.txt': 'a\n' }, 'Base', { from: 'main' })
  const head = await project.commit('head', { 'b.txt': 'b\n' }, 'Work', { from: 'base' })
  const base = kind === 'fast_forward' ? first : await project.commit('base', { 'c.txt': 'c\n' }, 'Meanwhile')
  const later = await project.commit('base', { 'd.txt': 'd\n' }, 'Later')
  return { project, kind, shas: { head, base, later } }
}

/** A change request between branches of its own, and a merge of it that was asked for. */
async function propose({ project, shas }: Scene, name: string) {
  const base_ref = `base-${name}`
  const head_ref = `head-${name}`
  await project.git('update-ref', `refs/heads/${base_ref}`, shas.base)
  await project.git('update-ref', `refs/heads/${head_ref}`, shas.head)
  const cr_id = world.base.newId()
  const at = world.clock.now()
  await changeRequests.insert(world.db, {
    cr_id,
    account_id: project.account_id,
    project_id: project.project_id,
    number: await projects.takeNumber(world.db, project.project_id),
    title: name,
    base_ref,
    head_ref,
    status: 'open',
    head_commit_sha: shas.head,
    base_commit_sha: shas.base,
    origin_session_id: null,
    created_by: project.owner.user_id,
    merged_at: null,
    merged_by: null,
    merge_commit_sha: null,
    closed_at: null,
    closed_by: null,
    created_at: at,
    updated_at: at,
  })
  return { cr_id, base_ref, attempt_id: await askForMerge(world, project, cr_id) }
}

describe.each([
  ['fast_forward', 3],
  ['merge_commit', 1],
] as const)('a worker that dies during a %s', (kind, stride) => {
  test('invariant 2: at any step, leaves what the next run brings to one end', async () => {
    const scene = await makeScene(kind)
    const { project, shas } = scene
    let died = true
    let step = 1 - stride
    while (died) {
      step += stride
      const { cr_id, attempt_id, base_ref } = await propose(scene, `${step}`)
      died = await crash(step, attempt_id)
      await runMergeAttempt(world.worker(), { attempt_id })
      expect(await merges.findAttempt(world.db, attempt_id)).toMatchObject({
        status: 'merged',
        outcome: { kind: 'merged', base_sha_before: shas.base, base_sha_after: await project.tip(base_ref) },
      })
      expect(await merges.findPlanned(world.db, cr_id)).toBeUndefined()
      await expectAgreement(world, project, cr_id)
    }
    // Before and after a good dozen of queries and git commands.
    expect(step).toBeGreaterThan(20)
  })
})

test('whatever happened to the base after a crash, the next run ends in agreement', async () => {
  const scene = await makeScene('merge_commit')
  const { project, shas } = scene
  let died = true
  for (let step = 1; died; step += 4) {
    const { cr_id, attempt_id, base_ref } = await propose(scene, `moved-${step}`)
    died = await crash(step, attempt_id)
    const tip = await project.tip(base_ref)
    // A push lands on top of the tip: of the base, or of the merge.
    const later = tip === shas.base ? shas.later : await project.commit(base_ref, { 'e.txt': `${step}` })
    await project.git('update-ref', `refs/heads/${base_ref}`, later)
    await runMergeAttempt(world.worker(), { attempt_id })
    expect((await merges.findAttempt(world.db, attempt_id))?.status).toBe('merged')
    await expectAgreement(world, project, cr_id)
  }
})

test('whoever asks for the same merge again after a crash finds the first one done or does it', async () => {
  const scene = await makeScene('merge_commit')
  const { project } = scene
  let died = true
  for (let step = 1; died; step += 4) {
    const { cr_id, attempt_id } = await propose(scene, `again-${step}`)
    died = await crash(step, attempt_id)
    const second = await askForMerge(world, project, cr_id)
    await runMergeAttempt(world.worker(), { attempt_id: second })
    await runMergeAttempt(world.worker(), { attempt_id })
    const ends = await Promise.all([attempt_id, second].map((id) => merges.findAttempt(world.db, id)))
    const statuses = ends.map((end) => end?.status).sort()
    expect(statuses).toEqual(['merged', 'refused'])
    expect(ends.find((end) => end?.status === 'refused')?.outcome).toMatchObject({ code: 'CR_NOT_OPEN' })
    await expectAgreement(world, project, cr_id)
  }
})

test('a worker that is told to end leaves the merge to the next one', async () => {
  const scene = await makeScene('merge_commit')
  const { project } = scene
  const { cr_id, attempt_id } = await propose(scene, 'aborted')
  await expect(
    runMergeAttempt(world.worker({ signal: AbortSignal.abort() }), { attempt_id }),
  ).rejects.toMatchObject({ name: 'AbortError' })
  expect((await merges.findAttempt(world.db, attempt_id))?.status).toBe('pending')
  await runMergeAttempt(world.worker(), { attempt_id })
  await expectAgreement(world, project, cr_id)
})

test('a git that fails while a leftover is looked at decides nothing', async () => {
  const scene = await makeScene('merge_commit')
  const { project, shas } = scene
  const { cr_id, attempt_id, base_ref } = await propose(scene, 'undecided')
  // Dies with the ref moved and the row not.
  for (let step = 1; (await project.tip(base_ref)) === shas.base; step += 1) await crash(step, attempt_id)
  let failed = true
  for (let command = 1; failed; command += 1) {
    const fault = dieAt(command)
    const repositories = fault.repositories(world.base.repositories)
    await runMergeAttempt(world.worker({ repositories }), { attempt_id }).catch(() => undefined)
    failed = fault.died
    if (failed) expect(await merges.findPlanned(world.db, cr_id)).toBeDefined()
  }
  await runMergeAttempt(world.worker(), { attempt_id })
  expect((await merges.findAttempt(world.db, attempt_id))?.status).toBe('merged')
  await expectAgreement(world, project, cr_id)
})
