import { dirname } from 'node:path'
import type { Context } from '@svc/context'
import { createRepositories, moveBranch, planMerge } from '@svc/git'
import { countGit, makeRepositories } from '@svc/git/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createChangeRequest,
  createSession,
  getChangeRequestDiff,
  getMergePreview,
  listChangeRequests,
  provisionSandbox,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
world.queue.live = true
const project = await makeProject(world)
const { project_id } = project
const manifest = 'svc_version: 2\ndefault_agent: default\nagents: { default: {} }\n'
const counted = await countGit()
let ctx: Context

beforeAll(async () => {
  const cache = await makeRepositories()
  const repositories = await createRepositories({
    root: dirname(world.gitDir(project_id)),
    cache_root: cache.cache_root,
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    allow: { http: false, file: false, ssh: false, private_addresses: false },
    environment: counted.environment,
  })
  afterAll(async () => {
    await repositories.close()
    await cache.remove()
    await counted.remove()
  })
  ctx = { ...project.ctx, repositories }
  for (const name of ['warm', 'next', 'merged']) {
    await project.commit(name, { [name]: `${name}\n`, 'svc.yaml': manifest }, name, { from: 'main' })
  }
  await project.commit('main', { moved: 'on\n' }, 'Main moves on')
  await project.commit('ahead', { ahead: 'ahead\n' }, 'Ahead', { from: 'main' })
  await open('warm')
  await getMergePreview(ctx, { project_id, cr: '1' })
})

const open = (head_ref: string) => createChangeRequest(ctx, { project_id, title: head_ref, head_ref })

/** The git processes that the work starts, while the repository's reader is running. */
async function processesOf(work: () => Promise<unknown>): Promise<string[]> {
  await counted.take()
  await work()
  return counted.take()
}

test('the reader is one process and goes on', async () => {
  expect(await processesOf(() => open('next'))).toEqual([])
})

test('a preview starts one process where both sides went on, and none for the same commits', async () => {
  const preview = () => getMergePreview(ctx, { project_id, cr: '2' })
  expect(await processesOf(preview)).toEqual(['merge-tree'])
  expect(await processesOf(preview)).toEqual([])
})

test('a preview of a fast-forward starts none', async () => {
  const { number } = await open('ahead')
  const preview = () => getMergePreview(ctx, { project_id, cr: String(number) })
  expect(await processesOf(preview)).toEqual([])
})

test('a diff starts one process', async () => {
  expect(await processesOf(() => getChangeRequestDiff(ctx, { project_id, cr: '2' }))).toEqual(['diff'])
})

test('a merge commit starts the three processes of the raw chain', async () => {
  const base_sha = await project.tip('main')
  const head_sha = await project.tip('merged')
  const merge = async () => {
    const repository = await ctx.repositories.open({ kind: 'managed', project_id })
    const committed_at = new Date(0)
    const plan = await planMerge(repository, { base_sha, head_sha, message: 'Merge', committed_at })
    if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
    return moveBranch(repository, { branch: 'main', from_sha: base_sha, to_sha: plan.commit_sha })
  }
  expect(await processesOf(merge)).toEqual(['commit-tree', 'merge-tree', 'update-ref'])
  expect(await project.tip('main')).not.toBe(base_sha)
})

test('a page of any length starts no process, and one while its branches are packed', async () => {
  const heads = Array.from({ length: 20 }, (_, index) => `page-${index}`)
  const tip = await project.tip('ahead')
  for (const head of heads) await project.git('update-ref', `refs/heads/${head}`, tip)
  for (const head of heads) await open(head)
  const list = () => listChangeRequests(ctx, { project_id, status: 'open', limit: 50 })
  expect((await list()).change_requests).toHaveLength(heads.length + 3)
  expect(await processesOf(list)).toEqual([])
  await project.git('pack-refs', '--all')
  expect(await processesOf(list)).toEqual(['for-each-ref'])
})

test('sessions and their branches start none, wherever the refs are; what they begin with is packed once', async () => {
  const { daemon } = world
  // The worker is the one below, whose git is counted.
  world.queue.live = false
  const start = async () => {
    daemon.repo = { state: 'cloning' }
    daemon.repositories.length = 0
    const created = await createSession(ctx, { project_id, respond_async: false, body: {} })
    if (created.kind !== 'created') throw new Error(created.reason)
    const { session_id } = created.session
    const up = provisionSandbox(world.worker({ repositories: ctx.repositories }), { session_id })
    await expect.poll(() => daemon.repositories.length).toBe(1)
    daemon.repo = { state: 'ready' }
    await up
    expect(await project.tip(session_id)).toBe(await project.tip('main'))
  }
  expect(await processesOf(start)).toEqual(['upload-pack'])
  expect(await processesOf(start)).toEqual([])
  await project.commit('main', { moved: 'again\n' }, 'Main moves again')
  expect(await processesOf(start)).toEqual(['upload-pack'])
  expect(await processesOf(start)).toEqual([])
})
