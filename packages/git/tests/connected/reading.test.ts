import { randomUUID } from 'node:crypto'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  defaultBranch,
  diff,
  isAncestor,
  preview,
  type Repository,
  resolveBranch,
  tips,
} from '../../src/index.ts'
import { commit, makeRepository } from '../../src/testing/index.ts'
import { openHost, remote } from './hosted.ts'

const { folder, host, open, repositories, target } = await openHost()

const transfers = () => host.requests.filter((request) => request.method === 'POST').length

test('a connected repository reads like any other', async () => {
  const repository = await open()
  expect(await tips(repository)).toEqual(
    new Map([
      ['main', await remote.tip('main')],
      ['work', await remote.tip('work')],
    ]),
  )
  expect(await defaultBranch(repository)).toBe('main')
  expect(await preview(repository, { base_ref: 'main', head_ref: 'work' })).toMatchObject({
    can_fast_forward: true,
  })
})

test('what the host has now is what is seen, deletions and new heads included', async () => {
  await open()
  await commit(remote, 'work', { 'c.txt': 'c' })
  await commit(remote, 'a/b', { d: 'd' }, 'D', { from: 'main' })
  expect((await tips(await open())).get('work')).toBe(await remote.tip('work'))
  await remote.git('update-ref', '-d', 'refs/heads/a/b')
  await commit(remote, 'a', { d: 'd' }, 'D', { from: 'main' })
  await remote.git('symbolic-ref', 'HEAD', 'refs/heads/work')
  const repository = await open()
  expect([...(await tips(repository)).keys()]).toEqual(['a', 'main', 'work'])
  expect(await defaultBranch(repository)).toBe('work')
})

test('a rewritten branch is followed', async () => {
  await open()
  const tip = await commit(remote, 'work', { z: 'z' }, 'Rewritten', { from: 'main' })
  expect(await resolveBranch(await open(), 'work')).toBe(tip)
})

test('without a difference nothing is transferred, and a stale view asks nobody', async () => {
  await open()
  const before = host.requests.length
  await open()
  const listing = host.requests.slice(before)
  expect(listing.filter((request) => request.path.endsWith('/git-receive-pack'))).toEqual([])
  expect(listing.length).toBeLessThanOrEqual(3)
  const known = host.requests.length
  const tip = await remote.tip('main')
  await commit(remote, 'main', { 'n.txt': 'n' })
  expect(await resolveBranch(await open({ fresh: false }), 'main')).toBe(tip)
  expect(host.requests.length).toBe(known)
})

test('many openers at once share their fetches, and none sees less than was there when it asked', async () => {
  await open()
  const before = transfers()
  const waves = []
  for (let wave = 0; wave < 5; wave += 1) {
    const tip = await commit(remote, 'work', { [`w${wave}`]: 'w' })
    const openers = Array.from({ length: 10 }, () => open())
    waves.push(...openers.map(async (opener) => expect(await isReadable(await opener, tip)).toBe(true)))
  }
  await Promise.all(waves)
  expect(transfers() - before).toBeLessThan(50)
})

async function isReadable(repository: Repository, sha: string): Promise<boolean> {
  const tip = await resolveBranch(repository, 'work')
  return tip !== null && isAncestor(repository, sha, tip)
}

test('an empty host, then its first commit', async () => {
  const empty = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`) })
  const repo_url = host.url(empty.git_dir.slice(folder.length + 1))
  expect(await tips(await repositories.open(target({ repo_url })))).toEqual(new Map())
  const sha = await commit(empty, 'main', { x: 'x' })
  expect(await resolveBranch(await repositories.open(target({ repo_url })), 'main')).toBe(sha)
})

test('a project that changes its address keeps nothing of the old one', async () => {
  const old = await open()
  const secret = await remote.tip('work')
  const second = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`), files: { only: 'x' } })
  const repo_url = host.url(second.git_dir.slice(folder.length + 1))
  const repository = await repositories.open(target({ repo_url }), { fresh: false })
  expect(repository.git_dir).toBe(old.git_dir)
  expect([...(await tips(repository)).keys()]).toEqual(['main'])
  const base = await second.tip('main')
  await expect(
    diff(repository, { base, head: secret, three_dot: false, max_patch_bytes: 100 }),
  ).rejects.toThrow()
})

test('a lock that a killed git left in the mirror goes away', async () => {
  const repository = await open()
  const lock = join(repository.git_dir, 'refs/heads/work.lock')
  await writeFile(lock, '')
  const hourAgo = new Date(Date.now() - 3_600_000)
  await utimes(lock, hourAgo, hourAgo)
  const tip = await commit(remote, 'work', { x: 'x' })
  expect(await resolveBranch(await open(), 'work')).toBe(tip)
})
