import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeRequests, merges } from '@svc/db'
import { resolveBranch } from '@svc/git'
import { commit, makeRepository, startGitServer, type TestRepository } from '@svc/git/testing'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  closeChangeRequest,
  connectProject,
  createChangeRequest,
  mergeChangeRequest,
  runMergeAttempt,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
const host = await startGitServer({ root: folder })
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})
const owner = await addOwner(world)
const ctx = world.as(owner.principal)

let remote: TestRepository
let project_id: string
let repo_url: string
let cr: { readonly cr_id: string }
beforeEach(async () => {
  host.answer = null
  const name = `${world.base.newId()}.git`
  remote = await makeRepository({
    git_dir: join(folder, name),
    files: { 'a.txt': 'a\n' },
    branches: { work: { 'b.txt': 'b\n' } },
  })
  repo_url = host.url(name)
  const project = await connectProject(ctx, { name, repo_url })
  project_id = project.project_id
  cr = await createChangeRequest(ctx, { project_id, title: 'Work', head_ref: 'work' })
  await commit(remote, 'main', { 'c.txt': 'c\n' }, 'Meanwhile')
  world.queue.live = true
  world.queue.failures.splice(0)
})

const merge = () => mergeChangeRequest(ctx, { project_id, cr: cr.cr_id })
const find = () => changeRequests.find(world.db, { project_id, cr: cr.cr_id })

test('a merge reaches the host, and the mirror with it', async () => {
  const { change_request, merge: merged } = await merge()
  expect(merged).toMatchObject({ fast_forward: false, base_sha_after: await remote.tip('main') })
  expect(change_request).toMatchObject({ status: 'merged', merge_commit_sha: await remote.tip('main') })
})

test('what the host refuses leaves the row open and the mirror where it was', async () => {
  const before = await remote.tip('main')
  const hooks = join(remote.git_dir, 'hooks')
  const hook = join(hooks, 'pre-receive')
  await remote.git('config', 'core.hooksPath', hooks)
  await mkdir(hooks, { recursive: true })
  await writeFile(hook, '#!/bin/sh\necho "main is protected" >&2\nexit 1\n')
  await chmod(hook, 0o755)
  await expect(merge()).rejects.toMatchObject({
    code: 'repository_push_rejected',
    message: expect.stringContaining('main is protected'),
  })
  expect(await find()).toMatchObject({ status: 'open' })
  expect(await remote.tip('main')).toBe(before)
  const target = { kind: 'connected' as const, project_id, repo_url, credential: null }
  const mirror = await world.base.repositories.open(target, { fresh: false })
  expect(await resolveBranch(mirror, 'main')).toBe(before)
  await rm(hook)
  expect((await merge()).change_request.status).toBe('merged')
})

test('a host that is away refuses the merge at once', async () => {
  host.answer = (_request, response) => {
    response.writeHead(503).end()
    return true
  }
  await expect(merge()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  host.answer = null
  expect(await find()).toMatchObject({ status: 'open' })
  expect(await closeChangeRequest(ctx, { project_id, cr: cr.cr_id })).toMatchObject({ status: 'closed' })
})

test('a push whose answer is lost stays owed until git says what happened', async () => {
  // The host takes the push; its answer is lost, and then it is away.
  const before = await remote.tip('main')
  let pushed = false
  host.answer = (request, response) => {
    if (pushed) {
      response.writeHead(503).end()
      return true
    }
    if (request.method === 'POST' && request.url?.endsWith('git-receive-pack')) {
      pushed = true
      response.writeHead = () => response
      response.flushHeaders = () => undefined
      response.write = () => true
      response.end = () => response.destroy()
    }
    return false
  }
  world.queue.live = false
  const asked = new AbortController()
  const merging = mergeChangeRequest(world.as(owner.principal, { signal: asked.signal }), {
    project_id,
    cr: cr.cr_id,
  })
  const refused = expect(merging).rejects.toMatchObject({ code: 'request_deadline' })
  while (world.queue.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const attempt_id = world.queue.drop()[0]?.id ?? ''
  await expect(runMergeAttempt(world.worker(), { attempt_id })).rejects.toMatchObject({
    code: 'git_mirror_unavailable',
  })
  expect(pushed).toBe(true)
  asked.abort()
  await refused
  expect(await remote.tip('main')).not.toBe(before)
  // The host is still away: the attempt stays owed, and the change request stays open, since it may be merged.
  await expect(runMergeAttempt(world.worker(), { attempt_id })).rejects.toMatchObject({
    code: 'git_mirror_unavailable',
  })
  expect(await merges.findAttempt(world.db, attempt_id)).toMatchObject({ status: 'pending' })

  host.answer = null
  await runMergeAttempt(world.worker(), { attempt_id })
  expect(await find()).toMatchObject({
    status: 'merged',
    merge_commit_sha: await remote.tip('main'),
    base_commit_sha: before,
  })
  expect(await merges.findAttempt(world.db, attempt_id)).toMatchObject({ status: 'merged' })
})

test('a base that moves on the host during the merge is merged into where it is', async () => {
  let moved: Promise<string> | null = null
  host.answer = (request) => {
    const push = request.url?.includes('service=git-receive-pack')
    if (push && moved === null) moved = commit(remote, 'main', { 'd.txt': 'd\n' }, 'In between')
    return false
  }
  const { merge: merged } = await merge()
  expect(moved).not.toBeNull()
  expect(merged.base_sha_after).toBe(await remote.tip('main'))
  expect((await remote.git('log', '--format=%s', 'main')).split('\n')).toContain('In between')
})
