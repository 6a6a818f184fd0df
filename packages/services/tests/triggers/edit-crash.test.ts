import { manifestEdits } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import { runManifestEdit } from '../../src/index.ts'
import { dieAt } from '../support/faults.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

/** Every such step; `SVC_LONG_TESTS=1` takes each. */
const stride = process.env['SVC_LONG_TESTS'] ? 1 : 3
const world = await openWorld()
const cron = "  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: x }\n"
let project: TestProject
beforeAll(async () => {
  project = await projectWith(world, cron)
})

/** An edit that was asked for, and that no worker has taken up yet. */
async function askForEdit(slug: string, planned_sha: string | null = null): Promise<string> {
  const edit_id = world.base.newId()
  const trigger = { slug, type: 'cron', cron: '0 0 * * * *', prompt: 'x' }
  await manifestEdits.insert(world.db, {
    edit_id,
    project_id: project.project_id,
    requested_by: project.owner.user_id,
    edit: JSON.stringify({ kind: 'add_trigger', trigger }),
    planned_sha,
    created_at: world.clock.now(),
    finished_at: null,
  })
  return edit_id
}

async function crash(step: number, attempt_id: string): Promise<boolean> {
  const fault = dieAt(step)
  const { db, repositories } = world.base
  const ctx = world.worker({ db: fault.db(db), repositories: fault.repositories(repositories) })
  await runManifestEdit(ctx, { attempt_id }).catch((error: unknown) => {
    if (!fault.died) throw error
  })
  return fault.died
}

const finished = (attempt_id: string) => manifestEdits.find(world.db, attempt_id)
const count = async () => Number(await project.git('rev-list', '--count', 'main'))

/** Row and repository agree: the edit is done by one commit, which the default branch holds. */
async function expectOneCommit(attempt_id: string, slug: string): Promise<void> {
  const row = await finished(attempt_id)
  expect(row).toMatchObject({ status: 'done', outcome: { kind: 'done', changed: true } })
  const titles = (await project.git('log', '--format=%H %s', 'main')).split('\n')
  const own = titles.filter((line) => line.endsWith(` Add the trigger ${slug}`))
  expect(own).toHaveLength(1)
  expect(row?.outcome).toMatchObject({ commit_sha: own[0]?.slice(0, 40) })
  expect(await project.git('show', 'main:svc.yaml')).toContain(`slug: ${slug}`)
}

test('a worker that dies at any step leaves what the next run brings to one commit', async () => {
  let died = true
  let step = 1 - stride
  while (died) {
    step += stride
    const slug = `s${step}`
    const attempt_id = await askForEdit(slug)
    const before = await count()
    died = await crash(step, attempt_id)
    await runManifestEdit(world.worker(), { attempt_id })
    expect(await count()).toBe(before + 1)
    await expectOneCommit(attempt_id, slug)
  }
  expect(step).toBeGreaterThan(20)
})

test('whatever happened to the branch after a crash, the next run ends in agreement', async () => {
  let died = true
  for (let step = 1; died; step += 3) {
    const slug = `moved${step}`
    const attempt_id = await askForEdit(slug)
    died = await crash(step, attempt_id)
    await project.commit('main', { 'other.txt': `${step}\n` }, 'Meanwhile')
    await runManifestEdit(world.worker(), { attempt_id })
    await expectOneCommit(attempt_id, slug)
  }
})

test('a git that fails while a planned commit is looked at decides nothing', async () => {
  const before = await project.tip('main')
  const attempt_id = await askForEdit('undecided')
  // Dies with the ref moved and the row not.
  for (let step = 1; (await project.tip('main')) === before; step += 1) await crash(step, attempt_id)
  let failed = true
  for (let command = 1; failed; command += 1) {
    const fault = dieAt(command)
    const repositories = fault.repositories(world.base.repositories)
    await runManifestEdit(world.worker({ repositories }), { attempt_id }).catch(() => undefined)
    failed = fault.died
    if (failed) expect((await finished(attempt_id))?.status).toBe('pending')
  }
  await expectOneCommit(attempt_id, 'undecided')
})

test('a planned commit that was lost with the copy that held it is planned again', async () => {
  const attempt_id = await askForEdit('lost', '1'.repeat(40))
  await runManifestEdit(world.worker(), { attempt_id })
  await expectOneCommit(attempt_id, 'lost')
})

test('a worker that is told to end leaves the edit to the next one', async () => {
  const attempt_id = await askForEdit('aborted')
  const ended = runManifestEdit(world.worker({ signal: AbortSignal.abort() }), { attempt_id })
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  expect((await finished(attempt_id))?.status).toBe('pending')
  await runManifestEdit(world.worker(), { attempt_id })
  await expectOneCommit(attempt_id, 'aborted')
})
