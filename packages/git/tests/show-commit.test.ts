import { expect, test } from 'vitest'
import { showCommit } from '../src/index.ts'
import { commit, testGit } from '../src/testing/index.ts'
import { storage } from './storage.ts'

const { managed } = await storage()
const max_patch_bytes = 10_000

test('a commit is shown with what it changed of its first parent, and the first one against nothing', async () => {
  const repository = await managed()
  const first = await commit(repository, 'main', { a: 'one\n' }, 'Begin')
  const second = await commit(repository, 'main', { a: 'one\ntwo\n' }, 'Go on')
  expect(await showCommit(repository, { commit_sha: first, max_patch_bytes })).toMatchObject({
    commit: { message: expect.stringContaining('Begin'), parents: [] },
    files: [{ path: 'a', status: 'added' }],
    additions: 1,
  })
  const shown = await showCommit(repository, { commit_sha: second, max_patch_bytes })
  expect(shown).toMatchObject({ commit: { parents: [first] }, files_changed: 1, additions: 1, deletions: 0 })
  expect(shown?.patch).toContain('+two')
})

test('a commit that no branch holds is not shown', async () => {
  const repository = await managed()
  await commit(repository, 'main', { a: 'one' })
  const apart = await commit(repository, 'other', { b: 'two' }, 'Apart', { from: 'main' })
  expect(await showCommit(repository, { commit_sha: apart, max_patch_bytes })).not.toBeNull()
  await testGit(['update-ref', '-d', 'refs/heads/other'], { git_dir: repository.git_dir })
  expect(await showCommit(repository, { commit_sha: apart, max_patch_bytes })).toBeNull()
  expect(await showCommit(repository, { commit_sha: 'f'.repeat(40), max_patch_bytes })).toBeNull()
})
