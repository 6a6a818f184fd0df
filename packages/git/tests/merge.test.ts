import { readdir, writeFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBranch, isAncestor, moveBranch, planMerge, resolveBranch, writeCommit } from '../src/index.ts'
import { commit, testGit } from '../src/testing/index.ts'
import { lines, storage } from './storage.ts'

const { managed } = await storage()
const committed_at = new Date('2026-03-04T05:06:07Z')
const text = lines(20)

async function diverged() {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': text })
  const head_sha = await commit(repository, 'work', { 'b.txt': 'b' }, 'Work', { from: 'main' })
  const base_sha = await commit(repository, 'main', { 'c.txt': 'c' })
  return { repository, base_sha, head_sha }
}

test('a merge commit by the service, with both parents and the merge time', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const message = 'Merge CR #1: Ünï --upload-pack=x\n\nbody\n\nCR: 1\n'
  const plan = await planMerge(repository, { base_sha, head_sha, message, committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const show = (format: string) =>
    testGit(['show', '-s', `--format=${format}`, plan.commit_sha], { git_dir: repository.git_dir })
  expect(await show('%P')).toBe(`${base_sha} ${head_sha}`)
  expect(await show('%T')).toBe(plan.tree_sha)
  expect(await show('%an <%ae> %cn <%ce>')).toBe('svc <noreply@svc.invalid> svc <noreply@svc.invalid>')
  expect(await show('%aI %cI')).toBe('2026-03-04T05:06:07+00:00 2026-03-04T05:06:07+00:00')
  expect(await show('%B')).toBe(message.trim())
  const files = await testGit(['ls-tree', '--name-only', plan.commit_sha], { git_dir: repository.git_dir })
  expect(files.split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await resolveBranch(repository, 'main')).toBe(base_sha)
})

test('the same request plans the same commit', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const request = { base_sha, head_sha, message: 'M', committed_at }
  expect(await planMerge(repository, request)).toEqual(await planMerge(repository, request))
})

test('fast-forward, up to date, conflict and unrelated', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const plan = (base: string, head: string) =>
    planMerge(repository, { base_sha: base, head_sha: head, message: 'M', committed_at })
  const ahead = await commit(repository, 'ahead', { x: 'x' }, 'Ahead', { from: 'main' })
  expect(await plan(base_sha, ahead)).toEqual({ kind: 'fast_forward', commit_sha: ahead })
  expect(await plan(ahead, base_sha)).toEqual({ kind: 'up_to_date' })
  expect(await plan(base_sha, base_sha)).toEqual({ kind: 'up_to_date' })
  const clash = await commit(repository, 'clash', { 'c.txt': 'other' }, 'Clash', { from: head_sha })
  expect(await plan(base_sha, clash)).toEqual({
    kind: 'conflict',
    conflicts: ['c.txt'],
    message: 'CONFLICT (add/add): Merge conflict in c.txt',
  })
  const alien = await commit(repository, 'alien', { z: 'z' }, 'Alien', { orphan: true })
  expect(await plan(base_sha, alien)).toEqual({ kind: 'unrelated' })
})

test('a message with NUL is refused', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const request = { base_sha, head_sha, message: 'a\0b', committed_at }
  await expect(planMerge(repository, request)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('of many movers from one commit exactly one succeeds', async () => {
  const repository = await managed()
  const from_sha = await commit(repository, 'main', { 'a.txt': 'a' })
  const targets = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      writeCommit(repository, {
        parent_sha: from_sha,
        changes: [{ path: `f${index}`, content: 'x' }],
        message: `Mover ${index}`,
        committed_at,
      }),
    ),
  )
  const outcomes = await Promise.all(
    targets.map((to_sha) => moveBranch(repository, { branch: 'main', from_sha, to_sha })),
  )
  const tip = await resolveBranch(repository, 'main')
  const winners = targets.filter((_, index) => outcomes[index]?.kind === 'moved')
  expect(winners).toEqual([tip])
  const losers = outcomes.filter((outcome) => outcome.kind !== 'moved')
  expect(losers).toEqual(Array(11).fill({ kind: 'stale', actual_sha: tip }))
})

test('a branch that is gone, or never was', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const move = { from_sha: base_sha, to_sha: head_sha }
  expect(await moveBranch(repository, { branch: 'gone', ...move })).toEqual({
    kind: 'stale',
    actual_sha: null,
  })
  for (const branch of ['-d', '../../HEAD', 'a..b', 'a\nb', 'HEAD', '']) {
    expect(await moveBranch(repository, { branch, ...move })).toMatchObject({ kind: 'rejected' })
  }
})

test('a branch moves to commits only', async () => {
  const { repository, base_sha } = await diverged()
  for (const to_sha of [
    'f'.repeat(40),
    await testGit(['rev-parse', 'main^{tree}'], { git_dir: repository.git_dir }),
  ]) {
    const outcome = await moveBranch(repository, { branch: 'main', from_sha: base_sha, to_sha })
    expect(outcome.kind).toBe('rejected')
  }
  for (const to_sha of ['', 'work', '0'.repeat(40)]) {
    const move = moveBranch(repository, { branch: 'main', from_sha: base_sha, to_sha })
    await expect(move).rejects.toMatchObject({ code: 'invalid_request' })
  }
  expect(await resolveBranch(repository, 'main')).toBe(base_sha)
})

test('a branch is created once', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const cut = (branch: string, at_sha: string) => createBranch(repository, { branch, at_sha })
  const outcomes = await Promise.all([cut('new', base_sha), cut('new', base_sha), cut('new', head_sha)])
  expect(outcomes.filter((outcome) => outcome.kind === 'created')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome.kind === 'exists')).toHaveLength(2)
  expect(await cut('main', head_sha)).toEqual({ kind: 'exists', actual_sha: base_sha })
  expect(await cut('main/below', head_sha)).toMatchObject({ kind: 'rejected' })
})

test('the lock of a killed git does not stop a move for good', async () => {
  const { repository, base_sha, head_sha } = await diverged()
  const lock = join(repository.git_dir, 'refs/heads/main.lock')
  await writeFile(lock, '')
  const move = { branch: 'main', from_sha: base_sha, to_sha: head_sha }
  expect(await moveBranch(repository, move)).toMatchObject({ kind: 'rejected' })
  const minuteAgo = new Date(Date.now() - 60_000)
  await utimes(lock, minuteAgo, minuteAgo)
  expect(await moveBranch(repository, move)).toEqual({ kind: 'moved' })
})

test('a commit changes, adds and removes files of its parent', async () => {
  const repository = await managed()
  const parent_sha = await commit(repository, 'main', { keep: 'k', change: 'a', remove: 'r', 'dir/x': 'x' })
  const commit_sha = await writeCommit(repository, {
    parent_sha,
    changes: [
      { path: 'change', content: Buffer.from([0, 255]) },
      { path: 'remove', content: null },
      { path: 'dir/ü\n-n', content: 'new' },
    ],
    message: 'Several',
    committed_at,
  })
  const listing = await testGit(['ls-tree', '-r', '-z', '--name-only', commit_sha], {
    git_dir: repository.git_dir,
  })
  expect(listing.split('\0').filter(Boolean).sort()).toEqual(['change', 'dir/x', 'dir/ü\n-n', 'keep'])
  expect(await isAncestor(repository, parent_sha, commit_sha)).toBe(true)
  expect(await isAncestor(repository, commit_sha, parent_sha)).toBe(false)
  expect((await readdir(repository.git_dir)).filter((name) => name.startsWith('svc-index'))).toEqual([])
})
