import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createBranch, moveBranch, planMerge, resolveBranch, writeCommit } from '../../src/index.ts'
import { commit } from '../../src/testing/index.ts'
import { openHost, project_id, remote } from './hosted.ts'

const { host, open } = await openHost()

const committed_at = new Date(1_700_000_000_000)

test('a merge moves the host by compare-and-set and the mirror follows', async () => {
  const base_sha = await commit(remote, 'main', { 'c.txt': 'c\n' })
  const repository = await open()
  const head_sha = await remote.tip('work')
  const plan = await planMerge(repository, { base_sha, head_sha, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const move = { branch: 'main', from_sha: base_sha, to_sha: plan.commit_sha }
  expect(await moveBranch(repository, move)).toEqual({ kind: 'moved' })
  expect(await remote.tip('main')).toBe(plan.commit_sha)
  expect(await resolveBranch(repository, 'main')).toBe(plan.commit_sha)
  expect(await moveBranch(repository, move)).toEqual({ kind: 'stale', actual_sha: plan.commit_sha })
})

test('a remote that moved meanwhile is never overwritten', async () => {
  const repository = await open()
  const from_sha = await remote.tip('main')
  const to_sha = await remote.tip('work')
  for (const happen of [
    () => commit(remote, 'main', { 'other.txt': 'o' }),
    () => commit(remote, 'main', { 'rewritten.txt': 'o' }, 'Rewritten', { orphan: true }),
  ]) {
    const actual_sha = await happen()
    expect(await moveBranch(repository, { branch: 'main', from_sha, to_sha })).toEqual({
      kind: 'stale',
      actual_sha,
    })
    expect(await remote.tip('main')).toBe(actual_sha)
  }
  await remote.git('symbolic-ref', 'HEAD', 'refs/heads/work')
  await remote.git('update-ref', '-d', 'refs/heads/main')
  const gone = await moveBranch(repository, { branch: 'main', from_sha, to_sha })
  expect(gone).toEqual({ kind: 'stale', actual_sha: null })
})

test('of two movers from one commit one wins', async () => {
  const repository = await open()
  const from_sha = await remote.tip('main')
  const write = (path: string) =>
    writeCommit(repository, {
      parent_sha: from_sha,
      changes: [{ path, content: 'x' }],
      message: path,
      committed_at,
    })
  const targets = [await write('one'), await write('two')]
  const outcomes = await Promise.all(
    targets.map((to_sha) => moveBranch(repository, { branch: 'main', from_sha, to_sha })),
  )
  expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['moved', 'stale'])
})

test('a host that refuses says why; the mirror stays where it was', async () => {
  const hook = join(remote.git_dir, 'hooks/pre-receive')
  await mkdir(dirname(hook), { recursive: true })
  await writeFile(hook, '#!/bin/sh\necho "Protected branch: ask an owner." >&2\nexit 1\n')
  await chmod(hook, 0o755)
  const repository = await open()
  const from_sha = await remote.tip('main')
  const outcome = await moveBranch(repository, { branch: 'main', from_sha, to_sha: await remote.tip('work') })
  expect(outcome).toEqual({
    kind: 'rejected',
    message: expect.stringContaining('Protected branch: ask an owner.'),
  })
  expect(await resolveBranch(repository, 'main')).toBe(from_sha)
  expect(await remote.tip('main')).toBe(from_sha)
})

test('a credential that may not push is a refusal', async () => {
  const repository = await open()
  host.answer = (request, response) => {
    if (!request.url?.includes('receive-pack')) return false
    response.writeHead(403).end('no')
    return true
  }
  const move = { branch: 'main', from_sha: await remote.tip('main'), to_sha: await remote.tip('work') }
  expect(await moveBranch(repository, move)).toMatchObject({ kind: 'rejected' })
})

test('a branch is cut on the host, once', async () => {
  const repository = await open()
  const at_sha = await remote.tip('main')
  expect(await createBranch(repository, { branch: project_id, at_sha })).toEqual({ kind: 'created' })
  expect(await remote.tip(project_id)).toBe(at_sha)
  expect(await createBranch(repository, { branch: project_id, at_sha })).toEqual({
    kind: 'exists',
    actual_sha: at_sha,
  })
  const other = await createBranch(repository, { branch: project_id, at_sha: await remote.tip('work') })
  expect(other).toEqual({ kind: 'exists', actual_sha: at_sha })
})
