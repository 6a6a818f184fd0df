import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  defaultBranch,
  listBranches,
  listCommits,
  listFiles,
  maintain,
  readFile,
  resolveBranch,
  resolveCommit,
  tips,
} from '../src/index.ts'
import { commit, testGit } from '../src/testing/index.ts'
import { storage } from './storage.ts'

const { managed } = await storage()

test('an empty repository answers everything', async () => {
  const repository = await managed()
  expect(await tips(repository)).toEqual(new Map())
  expect(await listBranches(repository)).toEqual([])
  expect(await resolveBranch(repository, 'main')).toBeNull()
  expect(await defaultBranch(repository)).toBe('main')
  for (const read of [
    () => listCommits(repository, { ref: 'main', limit: 10 }),
    () => listFiles(repository, { ref: 'main' }),
    () => readFile(repository, { ref: 'main', path: 'x' }),
  ]) {
    await expect(read()).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
  }
})

test('tips are the same for loose and packed refs', async () => {
  const repository = await managed()
  const main = await commit(repository, 'main', { x: 'x' })
  const other = await commit(repository, 'a/ü', { y: 'y' }, 'Y', { from: 'main' })
  const expected = new Map([
    ['a/ü', other],
    ['main', main],
  ])
  expect(await tips(repository)).toEqual(expected)
  await testGit(['pack-refs', '--all'], { git_dir: repository.git_dir })
  expect(await tips(repository)).toEqual(expected)
  expect(await resolveBranch(repository, 'a/ü')).toBe(other)
  expect(await resolveBranch(repository, 'a')).toBeNull()
  const moved = await commit(repository, 'main', { x: 'xx' })
  expect(await resolveBranch(repository, 'main')).toBe(moved)
})

test('a commit is named by branch, tag or SHA, whole or short', async () => {
  const repository = await managed()
  const sha = await commit(repository, 'main', { x: 'x' })
  await testGit(['tag', '-a', 'v1', '-m', 'One', sha], { git_dir: repository.git_dir })
  for (const name of ['main', 'refs/heads/main', 'v1', 'refs/tags/v1', sha, sha.slice(0, 8)]) {
    expect(await resolveCommit(repository, name)).toBe(sha)
  }
})

test.each([
  'gone',
  'main~0',
  'main^{tree}',
  '--all',
  'HEAD',
  '@',
  ':x',
  'main:x',
  'f'.repeat(40),
  'a\nb',
  'a\0b',
  '',
])('%j names no commit', async (name) => {
  const repository = await managed()
  await commit(repository, 'main', { x: 'x' })
  await expect(resolveCommit(repository, name)).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
})

test('files come as they are stored', async () => {
  const repository = await managed()
  const bytes = Buffer.from([0, 10, 255, 10])
  const first = await commit(repository, 'main', {
    'bin\nary': bytes,
    'dir/svc.yaml': 'one\n',
    link: { symlink: 'dir' },
  })
  await commit(repository, 'main', { 'dir/svc.yaml': 'two\n', empty: '' })
  const read = (path: string, ref = 'main') => readFile(repository, { ref, path })
  expect((await read('bin\nary'))?.content).toEqual(bytes)
  expect((await read('dir/svc.yaml'))?.content.toString()).toBe('two\n')
  expect((await read('/dir/svc.yaml', first))?.content.toString()).toBe('one\n')
  expect(await read('empty')).toMatchObject({ size: 0, blob_sha: expect.stringMatching(/^[0-9a-f]{40}$/) })
  expect((await read('link'))?.content.toString()).toBe('dir')
  for (const path of ['gone', 'dir', 'dir/svc.yaml/x', 'dir/gone', ':0', ':(glob)*']) {
    expect(await read(path)).toBeNull()
  }
  for (const path of ['../x', './empty', '', 'a\0b']) {
    await expect(read(path)).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('a file over the cap is refused without being read whole', async () => {
  const repository = await managed()
  await commit(repository, 'main', {
    exact: 'x'.repeat(1_000),
    over: 'x'.repeat(1_001),
    huge: 'y'.repeat(5_000_000),
  })
  const read = (path: string) => readFile(repository, { ref: 'main', path, max_bytes: 1_000 })
  expect((await read('exact'))?.size).toBe(1_000)
  await expect(read('over')).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(read('huge')).rejects.toMatchObject({
    code: 'payload_too_large',
    details: { size: 5_000_000 },
  })
})

test('a folder lists files, folders, links and submodules', async () => {
  const repository = await managed()
  await commit(repository, 'main', {
    'dir/run.sh': { executable: 'echo' },
    'dir/sub/x': 'x',
    'dir/a\tb\nc': 'abc',
    'dir/link': { symlink: 'x' },
    'dir/mod': { submodule: '1'.repeat(40) },
    top: 't',
  })
  const list = async (path?: string, recursive = false) =>
    (await listFiles(repository, { ref: 'main', path, recursive }))?.map(
      (entry) => `${entry.type} ${entry.path}`,
    )
  expect(await list()).toEqual(['directory dir', 'file top'])
  expect(await list('/')).toEqual(['directory dir', 'file top'])
  const inside = [
    'file dir/a\tb\nc',
    'symlink dir/link',
    'submodule dir/mod',
    'file dir/run.sh',
    'directory dir/sub',
  ]
  expect(await list('dir')).toEqual(inside)
  expect(await list('dir/')).toEqual(inside)
  expect(await list('dir', true)).toEqual([...inside, 'file dir/sub/x'])
  expect(await list('top')).toBeUndefined()
  expect(await list('gone')).toBeUndefined()
})

test('commits come in pages that do not shift when the branch moves', async () => {
  const repository = await managed()
  const shas: string[] = []
  for (const index of [1, 2, 3, 4, 5]) {
    shas.unshift(await commit(repository, 'main', { [`f${index}`]: 'x' }, `Commit ${index}\n\nBody\n`))
  }
  const first = await listCommits(repository, { ref: 'main', limit: 2 })
  expect(first.commits.map((each) => each.commit_sha)).toEqual(shas.slice(0, 2))
  expect(first.commits[0]).toMatchObject({
    parents: [shas[1]],
    message: 'Commit 5\n\nBody',
    author: { name: 'Test', email: 'test@svc.invalid' },
  })
  await commit(repository, 'main', { late: 'x' })
  const second = await listCommits(repository, { ref: 'main', limit: 2, after: first.next_cursor ?? '' })
  const third = await listCommits(repository, { ref: 'main', limit: 2, after: second.next_cursor ?? '' })
  expect([...second.commits, ...third.commits].map((each) => each.commit_sha)).toEqual(shas.slice(2))
  expect(third.next_cursor).toBeNull()
  const touched = await listCommits(repository, { ref: 'main', limit: 2, path: 'f3' })
  expect(touched.commits.map((each) => each.message)).toEqual(['Commit 3\n\nBody'])
  for (const after of ['x', '', `${'f'.repeat(40)}.2`, '--all.1', `${shas[0]}.-1`]) {
    await expect(listCommits(repository, { ref: 'main', limit: 2, after })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  }
  const hidden = await commit(repository, 'hidden', { h: 'h' }, 'Hidden', { orphan: true })
  await testGit(['update-ref', 'refs/svc/plan', hidden], { git_dir: repository.git_dir })
  await testGit(['update-ref', '-d', 'refs/heads/hidden'], { git_dir: repository.git_dir })
  for (const made_up of [`${hidden}.0`, `${'1'.repeat(40)}.0`])
    await expect(listCommits(repository, { ref: 'main', limit: 2, after: made_up })).rejects.toThrow('cursor')
})

test('branches come with their last commit, newest first', async () => {
  const repository = await managed()
  await commit(repository, 'main', { x: 'x' }, 'First')
  const work = await commit(repository, 'work', { y: 'y' }, 'Subject here\n\nBody', { from: 'main' })
  expect(await listBranches(repository)).toEqual([
    {
      name: 'work',
      commit_sha: work,
      committed_at: expect.stringMatching(/^20\d\d-/),
      subject: 'Subject here',
    },
    expect.objectContaining({ name: 'main', subject: 'First' }),
  ])
})

test('maintenance packs what piled up, on branches and beside them, and loses nothing', async () => {
  const repository = await managed()
  const sha = await commit(repository, 'main', { x: 'x' })
  const folder = await mkdtemp(join(tmpdir(), 'svc-loose-'))
  const paths = Array.from({ length: 3000 }, (_, index) => join(folder, `${index}`))
  // The same contents each time: how many objects share a folder is no matter of luck.
  await Promise.all(paths.map((path, index) => writeFile(path, `loose ${index}`)))
  const objects = await testGit(['-C', repository.git_dir, 'hash-object', '-w', '--stdin-paths'], {
    input: paths.join('\n'),
  })
  await rm(folder, { recursive: true })
  expect(await maintain(repository)).toBe(true)
  expect(await maintain(repository)).toBe(false)
  expect(await testGit(['-C', repository.git_dir, 'count-objects'])).toMatch(/^0 objects/)
  expect(await resolveCommit(repository, sha)).toBe(sha)
  const [unreachable = ''] = objects.split('\n')
  expect(await testGit(['-C', repository.git_dir, 'cat-file', '-t', unreachable])).toMatch(/^blob/)
})
