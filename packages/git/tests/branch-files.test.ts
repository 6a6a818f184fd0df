import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createBranch, resolveBranch } from '../src/index.ts'
import { commit, countGit, testGit } from '../src/testing/index.ts'
import { storage } from './storage.ts'

const counted = await countGit()
afterAll(() => counted.remove())
const { managed } = await storage({ environment: counted.environment })

let repository: Awaited<ReturnType<typeof managed>>
let at_sha: string
beforeEach(async () => {
  repository = await managed()
  at_sha = await commit(repository, 'main', { 'a.txt': 'a' })
  await counted.take()
})
const git = (...args: string[]) => testGit(args, repository)
const cut = (branch: string) => createBranch(repository, { branch, at_sha })
const locks = async () =>
  (await readdir(join(repository.git_dir, 'refs'), { recursive: true })).filter((name) => /lock$/.test(name))

const states: readonly [string, () => Promise<unknown>][] = [
  ['nothing is packed', async () => undefined],
  ['everything is packed', () => git('pack-refs', '--all')],
  [
    'it was packed and moved on',
    async () => {
      await git('pack-refs', '--all')
      await commit(repository, 'main', { 'a.txt': 'b' })
    },
  ],
]
test('a branch whose lock is held for a while is cut once it is free', async () => {
  const lock = join(repository.git_dir, 'refs/heads/work.lock')
  await writeFile(lock, '')
  const freed = sleep(1_500).then(() => rm(lock))
  expect(await cut('work')).toMatchObject({ kind: 'created' })
  await freed
  expect(await git('rev-parse', 'refs/heads/work')).toBe(at_sha)
})

test.each(states)('where %s, a branch is found, missed and cut without a process', async (_, prepare) => {
  await prepare()
  await counted.take()
  expect(await resolveBranch(repository, 'main')).toBe(await git('rev-parse', 'refs/heads/main'))
  expect(await resolveBranch(repository, 'mai')).toBeNull()
  expect(await resolveBranch(repository, 'work/below')).toBeNull()
  expect(await cut('new-ü')).toEqual({ kind: 'created' })
  expect(await resolveBranch(repository, 'new-ü')).toBe(at_sha)
  expect(await counted.take()).toEqual([])
  expect(await git('rev-parse', 'refs/heads/new-ü')).toBe(at_sha)
  expect(await git('fsck', '--no-dangling')).toBe('')
  await git('pack-refs', '--all')
  expect(await resolveBranch(repository, 'new-ü')).toBe(at_sha)
  expect(await locks()).toEqual([])
})

const inTheWay: readonly [string, () => Promise<unknown>, string][] = [
  ['the branch is there', () => git('branch', 'new', 'main'), 'exists'],
  ['the branch is there and packed', () => packed('new'), 'exists'],
  ['a branch is below it', () => git('branch', 'new/below', 'main'), 'rejected'],
  ['a packed branch is below it', () => packed('new/below'), 'rejected'],
  ['somebody holds its lock', () => writeFile(refFile('new.lock'), ''), 'rejected'],
]
const refFile = (name: string) => join(repository.git_dir, 'refs/heads', name)
async function packed(branch: string): Promise<void> {
  await git('branch', branch, 'main')
  await git('pack-refs', '--all', '--prune')
}
test.each(inTheWay)('where %s, git says so', async (_, prepare, kind) => {
  await prepare()
  const before = await git('for-each-ref')
  expect(await cut('new')).toMatchObject({ kind })
  expect(await git('for-each-ref')).toBe(before)
})

test('an empty folder that a branch left behind is no branch', async () => {
  await git('branch', 'new/below', 'main')
  await git('pack-refs', '--all', '--no-prune')
  await rm(refFile('new/below'))
  await writeFile(join(repository.git_dir, 'packed-refs'), '# pack-refs with: peeled fully-peeled sorted \n')
  expect(await resolveBranch(repository, 'new')).toBeNull()
  expect(await cut('new')).toEqual({ kind: 'created' })
})

test('a file that a crash left empty is for git to judge', async () => {
  await writeFile(refFile('torn'), '')
  await resolveBranch(repository, 'torn').catch(() => null)
  expect(await counted.take()).toEqual(['for-each-ref'])
})

test('refs that are kept in another way are read and written by git alone', async () => {
  await rm(join(repository.git_dir, 'refs/heads'), { recursive: true })
  await writeFile(join(repository.git_dir, 'refs/heads'), 'this repository uses the reftable format\n')
  await resolveBranch(repository, 'main').catch(() => null)
  await cut('new').catch(() => null)
  expect(await counted.take()).toEqual(expect.arrayContaining(['for-each-ref', 'update-ref']))
  expect(await readFile(join(repository.git_dir, 'refs/heads'), 'utf8')).toContain('reftable')
})

test('of many that cut the same branch one does', async () => {
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => cut('one')))
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1)
  expect(outcomes.filter(({ kind }) => kind === 'exists')).toHaveLength(7)
})

test('branches that are cut while git packs are all there', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `beside-${index}`)
  const pack = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) await git('pack-refs', '--all', '--prune')
  }
  const cuts = async () => {
    for (const name of names) expect(await cut(name)).toEqual({ kind: 'created' })
  }
  await Promise.all([pack(), cuts()])
  const listed = (await git('for-each-ref', '--format=%(refname:lstrip=2)')).split('\n')
  expect(listed.sort()).toEqual(['main', ...names].sort())
})
