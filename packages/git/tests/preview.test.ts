import { expect, test } from 'vitest'
import { planMerge, preview } from '../src/index.ts'
import { commit, testGit } from '../src/testing/index.ts'
import { lines, storage } from './storage.ts'

const { managed } = await storage()
const refs = { base_ref: 'main', head_ref: 'work' }
const text = lines(20)

test('a head strictly ahead can be fast-forwarded', async () => {
  const repository = await managed()
  const base_sha = await commit(repository, 'main', { 'a.txt': text })
  await commit(repository, 'work', { 'b.txt': 'b' }, 'One', { from: 'main' })
  const head_sha = await commit(repository, 'work', { 'b.txt': 'bb' }, 'Two')
  expect(await preview(repository, refs)).toEqual({
    base_sha,
    head_sha,
    merge_base: base_sha,
    is_up_to_date: false,
    can_merge: true,
    can_fast_forward: true,
    conflicts: [],
    ahead: 2,
    behind: 0,
  })
})

test('a diverged head that touches other places merges cleanly', async () => {
  const repository = await managed()
  const merge_base = await commit(repository, 'main', { 'a.txt': text })
  await commit(repository, 'work', { 'a.txt': text.replace('line 0\n', 'changed\n') }, 'Top', {
    from: 'main',
  })
  await commit(repository, 'main', { 'a.txt': text.replace('line 19\n', 'changed\n') }, 'Bottom')
  expect(await preview(repository, refs)).toMatchObject({
    merge_base,
    can_merge: true,
    can_fast_forward: false,
    conflicts: [],
    ahead: 1,
    behind: 1,
  })
})

test('up to date means reachable from base, not only equal', async () => {
  const repository = await managed()
  const first = await commit(repository, 'main', { 'a.txt': 'a' })
  await commit(repository, 'work', {}, 'Same', { from: first })
  const tip = await commit(repository, 'main', { 'b.txt': 'b' }, 'Merge', { merge: ['work'] })
  expect(await preview(repository, refs)).toMatchObject({
    is_up_to_date: true,
    can_merge: false,
    can_fast_forward: false,
    conflicts: [],
    ahead: 0,
  })
  expect(await preview(repository, { base_ref: 'main', head_ref: 'main' })).toMatchObject({
    is_up_to_date: true,
    head_sha: tip,
    ahead: 0,
    behind: 0,
  })
})

test('both sides change one line', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': text, 'ünï çödé\n.txt': text })
  const theirs = text.replace('line 5\n', 'theirs\n')
  await commit(repository, 'work', { 'a.txt': theirs, 'ünï çödé\n.txt': theirs }, 'Theirs', { from: 'main' })
  const ours = text.replace('line 5\n', 'ours\n')
  await commit(repository, 'main', { 'a.txt': ours, 'ünï çödé\n.txt': ours }, 'Ours')
  const verdict = await preview(repository, refs)
  expect(verdict).toMatchObject({ can_merge: false, can_fast_forward: false, is_up_to_date: false })
  expect([...verdict.conflicts].sort()).toEqual(['a.txt', 'ünï çödé\n.txt'])
})

test('the preview follows the branches', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': 'a\n' })
  await commit(repository, 'work', { 'a.txt': 'b\n' }, 'Work', { from: 'main' })
  expect(await preview(repository, refs)).toMatchObject({ can_fast_forward: true })
  await commit(repository, 'main', { 'a.txt': 'c\n' })
  expect(await preview(repository, refs)).toMatchObject({ can_merge: false, conflicts: ['a.txt'] })
  await commit(repository, 'work', { 'a.txt': 'c\n' })
  expect(await preview(repository, refs)).toMatchObject({ can_merge: true, conflicts: [] })
})

test('a criss-cross history merges by its virtual base', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': text })
  await commit(repository, 'work', { 'a.txt': text.replace('line 2\n', 'two\n') }, 'W1', { from: 'main' })
  await commit(repository, 'main', { 'a.txt': text.replace('line 17\n', 'seventeen\n') }, 'M1')
  const both = text.replace('line 2\n', 'two\n').replace('line 17\n', 'seventeen\n')
  const [main, work] = (await testGit(['rev-parse', 'main', 'work'], { git_dir: repository.git_dir })).split(
    '\n',
  )
  await commit(repository, 'main', { 'a.txt': both }, 'M2', { merge: [work ?? ''] })
  await commit(repository, 'work', { 'a.txt': both }, 'W2', { merge: [main ?? ''] })
  await commit(repository, 'work', { 'a.txt': both.replace('line 9\n', 'nine\n') }, 'W3')
  expect(await preview(repository, refs)).toMatchObject({
    can_merge: true,
    conflicts: [],
    is_up_to_date: false,
  })
})

test('a rename on one side and an edit on the other come together', async () => {
  const repository = await managed()
  const base = await commit(repository, 'main', { 'old.txt': text })
  const head_sha = await commit(repository, 'work', { 'old.txt': null, 'new.txt': text }, 'Rename', {
    from: base,
  })
  const edited = text.replace('line 3\n', 'three\n')
  const base_sha = await commit(repository, 'main', { 'old.txt': edited }, 'Edit')
  expect(await preview(repository, refs)).toMatchObject({ can_merge: true })
  const plan = await planMerge(repository, { base_sha, head_sha, message: 'M', committed_at: new Date(0) })
  expect(plan.kind).toBe('merge_commit')
})

test('a rename on one side and a deletion on the other conflict', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'old.txt': text, 'x.txt': 'x' })
  await commit(repository, 'work', { 'old.txt': null, 'new.txt': text }, 'Rename', { from: 'main' })
  await commit(repository, 'main', { 'old.txt': null }, 'Delete')
  expect(await preview(repository, refs)).toMatchObject({ can_merge: false, conflicts: ['new.txt'] })
})

test('submodules pinned to different commits conflict', async () => {
  const repository = await managed()
  const pin = (digit: string) => ({ submodule: digit.repeat(40) })
  await commit(repository, 'main', { mod: pin('1'), 'a.txt': 'a' })
  await commit(repository, 'work', { mod: pin('2') }, 'Theirs', { from: 'main' })
  await commit(repository, 'main', { mod: pin('3') }, 'Ours')
  expect(await preview(repository, refs)).toMatchObject({ can_merge: false, conflicts: ['mod'] })
})

test('symbolic links to different targets conflict', async () => {
  const repository = await managed()
  await commit(repository, 'main', { link: { symlink: 'a' } })
  await commit(repository, 'work', { link: { symlink: 'b' } }, 'Theirs', { from: 'main' })
  await commit(repository, 'main', { link: { symlink: 'c' } }, 'Ours')
  expect(await preview(repository, refs)).toMatchObject({ can_merge: false, conflicts: ['link'] })
})

test('a file against a folder of its name conflicts', async () => {
  const repository = await managed()
  await commit(repository, 'main', { keep: 'x' })
  await commit(repository, 'work', { thing: 'file' }, 'File', { from: 'main' })
  await commit(repository, 'main', { 'thing/inside': 'folder' }, 'Folder')
  const verdict = await preview(repository, refs)
  expect(verdict.can_merge).toBe(false)
  expect(verdict.conflicts.length).toBeGreaterThan(0)
})

test('a rename that changes only the case merges', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'readme.md': text })
  await commit(repository, 'work', { 'readme.md': null, 'README.md': text }, 'Case', { from: 'main' })
  await commit(repository, 'main', { 'other.txt': 'x' })
  expect(await preview(repository, refs)).toMatchObject({ can_merge: true, conflicts: [] })
})

test('unrelated histories have no merge base and do not merge', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': 'a' })
  await commit(repository, 'work', { 'b.txt': 'b' }, 'Elsewhere', { orphan: true })
  expect(await preview(repository, refs)).toMatchObject({
    merge_base: null,
    can_merge: false,
    can_fast_forward: false,
    is_up_to_date: false,
    conflicts: [],
    ahead: 1,
    behind: 1,
  })
})

test.each([
  ['missing', 'main', 'gone'],
  ['an option', 'main', '--upload-pack=touch x'],
  ['a path', 'main', '../../HEAD'],
  ['a revision', 'main', 'main~1'],
  ['a line end', 'main\nwork', 'work'],
  ['NUL', 'main\0', 'work'],
  ['reflog', 'main@{0}', 'work'],
  ['long', 'x'.repeat(5_000), 'work'],
])('a ref that is %s is CR_REF_NOT_FOUND', async (_, base_ref, head_ref) => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': 'a' })
  await commit(repository, 'work', { 'b.txt': 'b' }, 'Work', { from: 'main' })
  await expect(preview(repository, { base_ref, head_ref })).rejects.toMatchObject({
    code: 'CR_REF_NOT_FOUND',
  })
})
