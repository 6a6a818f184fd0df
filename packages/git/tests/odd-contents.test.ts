import { expect, test } from 'vitest'
import { diff, listFiles, planMerge, preview, readFile } from '../src/index.ts'
import { commit, type Files, testGit } from '../src/testing/index.ts'
import { lines, storage } from './storage.ts'

const { managed } = await storage()
const committed_at = new Date('2026-03-04T05:06:07Z')
const refs = { base_ref: 'main', head_ref: 'work' }
const max_patch_bytes = 8 * 1024 * 1024
const text = lines(20)

/** Every byte that a name may hold and that is a character of its own. */
const ascii = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)).filter(
  (character) => character !== '/',
)
const odd = [
  ...ascii.map((character) => `x${character}y`),
  ...[...ascii].filter((character) => character !== '.').map((character) => `dir/${character}`),
  'ü',
  'u\u0308',
  '日本語',
  '🎉',
  '\u202egnp.exe',
  '...',
  '-rf',
  '--output=x',
  ':(glob)**',
  ' ',
  'x'.repeat(255),
]
const filled = (content: string): Files => Object.fromEntries(odd.map((name) => [name, content]))

test('paths with every byte that a name may hold: listed, compared, read, merged and named in conflicts', async () => {
  const repository = await managed()
  const first = await commit(repository, 'main', filled(text))
  const head = await commit(repository, 'work', filled(text.replace('line 1\n', 'one\n')), 'W', {
    from: first,
  })
  const base = await commit(repository, 'main', filled(text.replace('line 18\n', 'eighteen\n')))
  const sorted = [...odd].sort()

  const entries = await listFiles(repository, { ref: 'main', recursive: true })
  const listed = (entries ?? []).filter(({ type }) => type === 'file').map(({ path }) => path)
  expect(listed.sort()).toEqual(sorted)
  const compared = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(compared.files.map(({ path }) => path).sort()).toEqual(sorted)
  expect(compared.files.every(({ status, additions }) => status === 'modified' && additions === 1)).toBe(true)

  const plan = await planMerge(repository, { base_sha: base, head_sha: head, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const merged = text.replace('line 1\n', 'one\n').replace('line 18\n', 'eighteen\n')
  for (const path of odd.filter((_, index) => index % 16 === 0)) {
    expect((await readFile(repository, { ref: plan.commit_sha, path }))?.content.toString()).toBe(merged)
    const narrowed = await diff(repository, { base, head, three_dot: true, path, max_patch_bytes })
    expect(narrowed.files.map((file) => file.path)).toEqual([path])
  }

  await commit(repository, 'main', filled(text.replace('line 1\n', 'eins\n')))
  const verdict = await preview(repository, refs)
  expect(verdict.can_merge).toBe(false)
  expect([...verdict.conflicts].sort()).toEqual(sorted)
})

test('names that are no UTF-8: nothing is lost on their way through a merge', async () => {
  const repository = await managed()
  const { git_dir } = repository
  const bytes = Array.from({ length: 128 }, (_, index) => index + 128)
  const tree = async (content: string): Promise<string> => {
    const blob = await testGit(['hash-object', '-w', '--stdin'], { git_dir, input: content })
    const rows = bytes.map((byte) =>
      Buffer.concat([Buffer.from(`100644 blob ${blob}\tx`), Buffer.from([byte, 0])]),
    )
    return testGit(['mktree', '-z'], { git_dir, input: Buffer.concat(rows) })
  }
  const onto = async (tree_sha: string, ...parents: string[]) =>
    testGit(['commit-tree', tree_sha, ...parents.flatMap((sha) => ['-p', sha]), '-m', 'Odd'], { git_dir })
  const first = await onto(await tree(text))
  const head = await onto(await tree(text.replace('line 1\n', 'one\n')), first)
  const base = await onto(await tree(text.replace('line 18\n', 'eighteen\n')), first)
  const found = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(found).toMatchObject({ files_changed: 128, additions: 128, deletions: 128 })
  const plan = await planMerge(repository, { base_sha: base, head_sha: head, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const merged = text.replace('line 1\n', 'one\n').replace('line 18\n', 'eighteen\n')
  expect(plan.tree_sha).toBe(await tree(merged))
  const clash = await onto(await tree(text.replace('line 1\n', 'eins\n')), first)
  const refused = await planMerge(repository, { base_sha: clash, head_sha: head, message: 'M', committed_at })
  expect(refused.kind).toBe('conflict')
})

const pointer = (digit: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`

test('LFS pointers are left alone: compared, merged and read as the text they are', async () => {
  const repository = await managed()
  const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
  const first = await commit(repository, 'main', {
    '.gitattributes': attributes,
    'big.bin': pointer('1'),
    'a.txt': 'a\n',
  })
  const head = await commit(repository, 'work', { 'big.bin': pointer('2') }, 'New version', { from: first })
  const base = await commit(repository, 'main', { 'a.txt': 'aa\n' })
  const compared = await diff(repository, { base, head, three_dot: true, max_patch_bytes })
  expect(compared.files).toMatchObject([{ path: 'big.bin', additions: 1, deletions: 1, binary: false }])
  expect(compared.patch).toContain(`+oid sha256:${'2'.repeat(64)}`)
  const plan = await planMerge(repository, { base_sha: base, head_sha: head, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const merged = await readFile(repository, { ref: plan.commit_sha, path: 'big.bin' })
  expect(merged?.content.toString()).toBe(pointer('2'))
  await commit(repository, 'main', { 'big.bin': pointer('3') })
  expect(await preview(repository, refs)).toMatchObject({ can_merge: false, conflicts: ['big.bin'] })
})

test('deleted branches: a preview names the one that is gone', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': 'a' })
  await commit(repository, 'work', { 'b.txt': 'b' }, 'W', { from: 'main' })
  for (const [gone, left] of [
    ['work', 'main'],
    ['main', 'work'],
  ] as const) {
    const tip = await testGit(['rev-parse', gone], { git_dir: repository.git_dir })
    await testGit(['update-ref', '-d', `refs/heads/${gone}`], { git_dir: repository.git_dir })
    await expect(preview(repository, refs)).rejects.toMatchObject({
      code: 'CR_REF_NOT_FOUND',
      message: expect.stringContaining(gone),
    })
    expect((await preview(repository, { base_ref: left, head_ref: left })).is_up_to_date).toBe(true)
    await testGit(['update-ref', `refs/heads/${gone}`, tip], { git_dir: repository.git_dir })
  }
})

test('links and submodules that both sides change alike, or only one changes, merge', async () => {
  const repository = await managed()
  const pin = (digit: string) => ({ submodule: digit.repeat(40) })
  const first = await commit(repository, 'main', {
    link: { symlink: 'a' },
    both: { symlink: 'a' },
    mod: pin('1'),
    twice: pin('1'),
    'run.sh': 'echo\n',
  })
  const head = await commit(
    repository,
    'work',
    { link: { symlink: 'b' }, both: { symlink: 'c' }, twice: pin('2'), 'run.sh': { executable: 'echo\n' } },
    'W',
    { from: first },
  )
  const base = await commit(repository, 'main', { both: { symlink: 'c' }, mod: pin('3'), twice: pin('2') })
  const plan = await planMerge(repository, { base_sha: base, head_sha: head, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const listed = await testGit(['ls-tree', plan.commit_sha], { git_dir: repository.git_dir })
  const modes = listed.split('\n').map((line) => [line.split('\t')[1], line.slice(0, 6)])
  expect(Object.fromEntries(modes)).toEqual({
    both: '120000',
    link: '120000',
    mod: '160000',
    'run.sh': '100755',
    twice: '160000',
  })
  expect(listed).toContain(`160000 commit ${'3'.repeat(40)}\tmod`)
  expect((await readFile(repository, { ref: plan.commit_sha, path: 'link' }))?.content.toString()).toBe('b')
})
