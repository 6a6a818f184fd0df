import { expect, test } from 'vitest'
import { type Diff, diff, type Repository } from '../src/index.ts'
import { commit, type Files, testGit } from '../src/testing/index.ts'
import { lines, storage } from './storage.ts'

const { managed } = await storage()
const text = lines(40)
const max_patch_bytes = 8 * 1024 * 1024

async function changed(
  before: Files,
  after: Files,
  path?: string,
): Promise<{ repository: Repository; diff: Diff }> {
  const repository = await managed()
  const base = await commit(repository, 'main', before)
  const head = await commit(repository, 'work', after, 'Work', { from: base })
  return { repository, diff: await diff(repository, { base, head, three_dot: true, path, max_patch_bytes }) }
}

test('added, modified and deleted files with their counts', async () => {
  const before = { 'mod.txt': text, 'del.txt': 'x\ny\n', same: 's' }
  const { diff: found } = await changed(before, {
    'mod.txt': `${text}more\n`,
    'del.txt': null,
    'new.txt': 'n\n',
  })
  expect(found.files).toEqual([
    { path: 'del.txt', old_path: null, status: 'deleted', additions: 0, deletions: 2, binary: false },
    { path: 'mod.txt', old_path: null, status: 'modified', additions: 1, deletions: 0, binary: false },
    { path: 'new.txt', old_path: null, status: 'added', additions: 1, deletions: 0, binary: false },
  ])
  expect(found).toMatchObject({ files_changed: 3, additions: 2, deletions: 2, patch_truncated: false })
  expect(found.patch.match(/^diff --git /gm)).toHaveLength(3)
})

test('the patch is one that git applies', async () => {
  const before = { 'a b/ü\t"x".txt': text, 'run.sh': 'echo\n', 'old.txt': text }
  const { repository, diff: found } = await changed(before, {
    'a b/ü\t"x".txt': text.replace('line 7\n', 'seven\n'),
    'run.sh': { executable: 'echo\n' },
    'old.txt': null,
    'new.txt': text.replace('line 1\n', 'one\n'),
  })
  const index = { git_dir: repository.git_dir, env: { GIT_INDEX_FILE: `${repository.git_dir}/apply-index` } }
  await testGit(['read-tree', found.base_sha], index)
  await testGit(['apply', '--cached', '-'], { ...index, input: found.patch })
  expect(await testGit(['write-tree'], index)).toBe(
    await testGit(['rev-parse', `${found.head_sha}^{tree}`], { git_dir: repository.git_dir }),
  )
})

test('renames and copies carry their old path', async () => {
  const { diff: found } = await changed(
    { 'from.txt': text, 'source.txt': lines(40, 'source') },
    {
      'from.txt': null,
      'to.txt': text.replace('line 3\n', 'three\n'),
      'source.txt': `${lines(40, 'source')}end\n`,
      'copy.txt': lines(40, 'source'),
    },
  )
  expect(found.files).toMatchObject([
    { path: 'copy.txt', old_path: 'source.txt', status: 'copied', additions: 0, deletions: 0 },
    { path: 'source.txt', old_path: null, status: 'modified', additions: 1, deletions: 0 },
    { path: 'to.txt', old_path: 'from.txt', status: 'renamed', additions: 1, deletions: 1 },
  ])
})

test('a path narrows the diff to one file that keeps its status', async () => {
  const before = { 'from.txt': text, 'source.txt': lines(40, 'source'), 'other.txt': 'x' }
  const after = {
    'from.txt': null,
    'to.txt': text.replace('line 3\n', 'three\n'),
    'source.txt': `${lines(40, 'source')}end\n`,
    'copy.txt': lines(40, 'source'),
    'other.txt': 'y',
  }
  for (const [path, status] of [
    ['to.txt', 'renamed'],
    ['from.txt', 'renamed'],
    ['copy.txt', 'copied'],
    ['source.txt', 'modified'],
    ['other.txt', 'modified'],
  ]) {
    const { diff: found } = await changed(before, after, path)
    expect(found.files).toMatchObject([{ status }])
    expect(found.files_changed).toBe(1)
    expect(found.patch.match(/^diff --git /gm)).toHaveLength(1)
  }
  const { diff: nothing } = await changed(before, after, ':(glob)**')
  expect(nothing).toMatchObject({ files: [], patch: '', patch_truncated: false })
})

test('binary files count nothing and say that they differ', async () => {
  const { diff: found } = await changed(
    { 'x.bin': Buffer.from([0, 1, 2]) },
    { 'x.bin': Buffer.from([0, 9, 9, 9]) },
  )
  expect(found.files).toEqual([
    { path: 'x.bin', old_path: null, status: 'modified', additions: 0, deletions: 0, binary: true },
  ])
  expect(found.patch).toContain('Binary files a/x.bin and b/x.bin differ')
})

test('a change of mode, and of type', async () => {
  const { diff: found } = await changed(
    { 'run.sh': 'echo\n', thing: 'text\n' },
    { 'run.sh': { executable: 'echo\n' }, thing: { symlink: 'run.sh' } },
  )
  expect(found.files).toMatchObject([
    { path: 'run.sh', status: 'modified', additions: 0, deletions: 0 },
    { path: 'thing', status: 'typechange' },
  ])
  expect(found.patch).toContain('old mode 100644\nnew mode 100755')
})

test('a submodule that moves', async () => {
  const { diff: found } = await changed(
    { mod: { submodule: '1'.repeat(40) } },
    { mod: { submodule: '2'.repeat(40) } },
  )
  expect(found.files).toMatchObject([{ path: 'mod', status: 'modified', additions: 1, deletions: 1 }])
})

test('names with spaces, line ends, tabs, quotes, other scripts and a leading dash', async () => {
  const names = [
    'a b',
    'new\nline',
    'tab\there',
    '"quoted"',
    'ünï/日本.txt',
    '-dash',
    ':(glob)*',
    'back\\slash',
  ]
  const { diff: found } = await changed({ x: 'x' }, Object.fromEntries(names.map((name) => [name, 'text\n'])))
  expect(found.files.map((file) => file.path).sort()).toEqual([...names].sort())
  expect(found.files.every((file) => file.status === 'added' && file.additions === 1)).toBe(true)
})

test('a name that is not valid UTF-8 does no harm', async () => {
  const repository = await managed()
  const base = await commit(repository, 'main', { x: 'x' })
  const blob = await testGit(['hash-object', '-w', '--stdin'], {
    git_dir: repository.git_dir,
    input: 'latin\n',
  })
  const entry = Buffer.concat([
    Buffer.from(`100644 blob ${blob}\t`),
    Buffer.from([0x66, 0xfc, 0x72]),
    Buffer.from('\0'),
  ])
  const tree = await testGit(['mktree', '-z'], { git_dir: repository.git_dir, input: entry })
  const head = await testGit(['commit-tree', tree, '-p', base, '-m', 'Odd'], { git_dir: repository.git_dir })
  const found = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(found.files.map((file) => file.status).sort()).toEqual(['added', 'deleted'])
  expect(found.patch).toContain('"b/f\\374r"')
})

test('three dots leave out what base did meanwhile, two dots do not', async () => {
  const repository = await managed()
  const first = await commit(repository, 'main', { 'a.txt': 'a\n' })
  const head = await commit(repository, 'work', { 'b.txt': 'b\n' }, 'Work', { from: 'main' })
  const base = await commit(repository, 'main', { 'c.txt': 'c\n' })
  const three = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(three).toMatchObject({ base_sha: base, head_sha: head, merge_base: first })
  expect(three.files.map((file) => file.path)).toEqual(['b.txt'])
  const two = await diff(repository, { base, head, three_dot: false, max_patch_bytes })
  expect(two.files.map((file) => file.path)).toEqual(['b.txt', 'c.txt'])
})

test('unrelated histories are compared directly', async () => {
  const repository = await managed()
  const base = await commit(repository, 'main', { 'a.txt': 'aaaa\n' })
  const head = await commit(repository, 'work', { 'b.txt': 'bbbb\n' }, 'Elsewhere', { orphan: true })
  const found = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(found.merge_base).toBeNull()
  expect(found.files.map((file) => file.status)).toEqual(['deleted', 'added'])
})

test('nothing changed', async () => {
  const { diff: found } = await changed({ x: 'x' }, {})
  expect(found).toMatchObject({ files: [], files_changed: 0, additions: 0, deletions: 0, patch: '' })
})

test('a patch over the limit ends between files; the list stays whole', async () => {
  const { repository, diff: whole } = await changed({ x: 'x' }, { a: 'a\n', b: text.repeat(100), c: 'c\n' })
  const request = { base: whole.base_sha, head: whole.head_sha, three_dot: true }
  const cut = await diff(repository, { ...request, max_patch_bytes: 2_000 })
  expect(cut).toMatchObject({ files_changed: 3, additions: whole.additions, patch_truncated: true })
  expect(cut.patch).toBe(whole.patch.slice(0, cut.patch.length))
  expect(cut.patch.match(/^diff --git /gm)).toHaveLength(1)
  const exact = await diff(repository, { ...request, max_patch_bytes: Buffer.byteLength(whole.patch) })
  expect(exact).toMatchObject({ patch: whole.patch, patch_truncated: false })
  const none = await diff(repository, { ...request, max_patch_bytes: 10 })
  expect(none).toMatchObject({ patch: '', patch_truncated: true })
})

test('a file beyond 8 MiB', async () => {
  const { diff: found } = await changed(
    { x: 'x' },
    { big: `${'0123456789abcdef'.repeat(64)}\n`.repeat(10_000) },
  )
  expect(found).toMatchObject({ files_changed: 1, additions: 10_000, patch: '', patch_truncated: true })
})
