import { randomUUID } from 'node:crypto'
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backups } from '@svc/db'
import { getChangeRequest, mergeChangeRequest } from '@svc/services'
import { makeProject, openWorld, runningSession, type TestProject } from '@svc/services/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { checker } from './support.ts'

const world = await openWorld({ session_cap: 100 })
const check = checker(world)
world.queue.live = true

let project: TestProject
beforeEach(async () => {
  project = await makeProject(world)
})

const merge = (cr_id: string) =>
  mergeChangeRequest(project.ctx, { project_id: project.project_id, cr: cr_id })
const statusOf = async (cr: string) =>
  (await getChangeRequest(project.ctx, { project_id: project.project_id, cr })).change_request

/** A merge that is a commit of its own, since the base went on. */
async function mergedApart() {
  const cr = await project.propose('work')
  await project.commit('main', { 'other.txt': 'x\n' })
  await merge(cr.cr_id)
  return cr
}

test('a repository that is older than its rows is found', async () => {
  const { project_id } = project
  const dir = world.gitDir(project_id)
  const first = await project.propose('first')
  await merge(first.cr_id)
  await cp(dir, `${dir}.copy`, { recursive: true, verbatimSymlinks: true })
  const second = await project.propose('second')
  await merge(second.cr_id)
  expect(await check('cr_merged_missing', { project_id })).toEqual([])
  await rm(dir, { recursive: true })
  await rename(`${dir}.copy`, dir)
  const { merge_commit_sha } = await statusOf(second.cr_id)
  expect(await check('cr_merged_missing', { project_id, repair: true })).toEqual([
    {
      ...{ check: 'cr_merged_missing', severity: 'error', project_id, repairable: false, repaired: false },
      subject: `change-requests/${second.cr_id}`,
      message: `CR #2 is merged as ${merge_commit_sha}, which its repository does not have; restore the repository from a backup that is newer than the merge`,
    },
  ])
})

test('a base that lost a merge whose commit is still there goes forward to it, and only forward', async () => {
  const { project_id } = project
  const before = await project.tip('main')
  const cr = await project.propose('work')
  await merge(cr.cr_id)
  const merged = await project.tip('main')
  await project.git('update-ref', 'refs/heads/main', before)
  const lost = { check: 'cr_merged_missing', subject: `change-requests/${cr.cr_id}`, repairable: true }
  expect(await check('cr_merged_missing', { project_id })).toMatchObject([{ ...lost, repaired: false }])
  expect(await project.tip('main')).toBe(before)
  expect(await check('cr_merged_missing', { project_id, repair: true })).toMatchObject([
    { ...lost, repaired: true },
  ])
  expect(await project.tip('main')).toBe(merged)
  expect(await check('cr_merged_missing', { project_id })).toEqual([])

  await project.git('update-ref', 'refs/heads/main', before)
  const elsewhere = await project.commit('main', { 'since.txt': 'x\n' })
  expect(await check('cr_merged_missing', { project_id, repair: true })).toMatchObject([
    { ...lost, repaired: false },
  ])
  expect(await project.tip('main')).toBe(elsewhere)
})

test('a row that is older than its repository is finished from the commit that names it', async () => {
  const { project_id } = project
  const cr = await mergedApart()
  const { merge_commit_sha, head_commit_sha, base_commit_sha } = await statusOf(cr.cr_id)
  await sql`alter table change_requests disable trigger user`.execute(world.db)
  await sql`update change_requests set status = 'open', merged_at = null, merged_by = null, merge_commit_sha = null
    where cr_id = ${cr.cr_id}`.execute(world.db)
  await sql`alter table change_requests enable trigger user`.execute(world.db)
  expect(await check('cr_open_landed', { project_id })).toMatchObject([
    { subject: `change-requests/${cr.cr_id}`, repairable: true, repaired: false },
  ])
  expect(await check('cr_open_landed', { project_id, repair: true })).toMatchObject([{ repaired: true }])
  expect(await statusOf(cr.cr_id)).toMatchObject({
    ...{ status: 'merged', merge_commit_sha, head_commit_sha, base_commit_sha },
    merged_by: project.owner.user_id,
  })
  expect(await check('cr_open_landed', { project_id })).toEqual([])
})

test('a commit that only says that it is the merge of an open change request finishes none', async () => {
  const { project_id } = project
  const honest = await project.propose('honest')
  await project.commit('liar', { 'liar.txt': 'x\n' }, 'Lie', { from: 'main' })
  await project.commit('main', { 'main.txt': 'x\n' })
  await project.commit('main', {}, `Merge\n\nCR: ${honest.cr_id}`, { merge: ['liar'] })
  expect(await check('cr_open_landed', { project_id, repair: true })).toEqual([])
  expect(await statusOf(honest.cr_id)).toMatchObject({ status: 'open' })
})

test('a repository that is not there, and one that lost an object, are found', async () => {
  const { project_id } = project
  const dir = world.gitDir(project_id)
  const tip = await project.tip('main')
  for (const name of ['repository_missing', 'repository_damaged'] as const)
    expect(await check(name, { project_id })).toEqual([])
  const blob = (await project.git('rev-parse', `${tip}:svc.yaml`)).trim()
  await project.git('repack', '-a', '-d', '-q')
  const packs = (await readdir(join(dir, 'objects/pack'))).filter((name) => name.endsWith('.pack'))
  expect(packs).toHaveLength(1)
  const pack = join(dir, 'objects/pack', packs[0] ?? '')
  await rename(pack, join(dir, 'kept.pack'))
  await rm(pack.replace(/pack$/, 'idx'))
  expect(blob).toMatch(/^[0-9a-f]{40}$/)
  const damaged = { severity: 'error', subject: `repositories/${project_id}`, repairable: false }
  expect(await check('repository_damaged', { project_id })).toMatchObject([
    { ...damaged, message: expect.stringMatching(/; no backup is known to have it$/) },
  ])
  // Of three backups the last one does not have it any more.
  const [target, has] = [
    'file:///mnt/backups',
    'restore it from two in file:///mnt/backups, the newest backup that has it',
  ]
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    const [backup_id, started_at] = [
      randomUUID(),
      new Date(world.clock.now().getTime() + (index + 1) * 1_000),
    ]
    await backups.ask(world.db, { backup_id, name, target, started_at })
    const missing = name === 'three' ? [project_id] : []
    await backups.finish(world.db, backup_id, { bytes: 1, missing }, started_at)
  }
  expect(await check('repository_damaged', { project_id })).toMatchObject([
    { ...damaged, message: expect.stringContaining(has) },
  ])
  await rm(dir, { recursive: true })
  expect(await check('repository_damaged', { project_id })).toEqual([])
  expect(await check('repository_missing', { project_id })).toMatchObject([
    { ...damaged, message: expect.stringContaining(has) },
  ])
})

test('the branch of a session that runs is cut again where its newest checkpoint saw it', async () => {
  const { project_id } = project
  world.queue.live = false
  const session = await runningSession(world, project)
  const { session_id } = session
  const { branch_name } = await session.row()
  await project.commit(branch_name, { 'work.txt': 'x\n' }, 'Work', { from: 'main' })
  const at = await project.tip(branch_name)
  expect(await check('branch_missing', { project_id })).toEqual([])
  const remove = () => project.git('update-ref', '-d', `refs/heads/${branch_name}`)
  await remove()
  const gone = { check: 'branch_missing', subject: `sessions/${session_id}` }
  expect(await check('branch_missing', { project_id, repair: true })).toMatchObject([
    { ...gone, repairable: false, repaired: false },
  ])
  const tree = (await project.git('rev-parse', `${at}^{tree}`)).trim()
  const message = `svc checkpoint\n\nHead: ${at}\nIndex: ${at}\nBranch: ${branch_name}`
  const saved = (await project.git('commit-tree', tree, '-p', at, '-m', message)).trim()
  await project.git('update-ref', `refs/svc/checkpoints/${session_id}/9`, saved)
  expect(await check('branch_missing', { project_id, repair: true })).toMatchObject([
    { ...gone, repairable: true, repaired: true },
  ])
  expect(await project.tip(branch_name)).toBe(at)
  world.queue.live = true
})

test('the sandbox of monitors has no branch that could be gone', async () => {
  const { project_id } = project
  world.queue.live = false
  const { session_id, row } = await runningSession(world, project)
  await project.git('update-ref', '-d', `refs/heads/${(await row()).branch_name}`)
  const subject = `sessions/${session_id}`
  expect(await check('branch_missing', { project_id })).toMatchObject([{ subject }])
  await world.db
    .updateTable('project_sessions')
    .set({ origin: 'system' })
    .where('session_id', '=', session_id)
    .execute()
  expect(await check('branch_missing', { project_id })).toEqual([])
  world.queue.live = true
})
