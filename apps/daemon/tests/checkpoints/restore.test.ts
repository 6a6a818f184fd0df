import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointsOf, clone, dirty, events, folder, openCheckpoints, path, picture, run } from './world.ts'

openCheckpoints()

test('a new clone gets files, index, branch and commits back as they were, without what is ignored', async () => {
  const first = clone('first')
  dirty(first)
  const before = picture(first)
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  // Nothing of the agent's own was touched.
  expect(picture(first)).toEqual(before)

  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(picture(second)).toEqual(before)
  expect(readFileSync(join(second, 'new folder/ümlaut "quoted".txt'), 'utf8')).toBe('untracked\n')
  expect(existsSync(join(second, 'ignored'))).toBe(false)
  expect(events).toEqual([
    { number: 1, state: 'saved', reason: 'turn' },
    { number: 1, state: 'restored' },
  ])
})

test('what did not change is not saved again, and a fresh clone has nothing to save', async () => {
  const workspace = clone('first')
  const checkpoints = checkpointsOf(workspace)
  expect(await checkpoints.save('turn')).toBe(null)
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  expect(await Promise.all([checkpoints.save('turn'), checkpoints.save('periodic')])).toEqual([1, 1])
  // Going back to what is committed is news: the older files must not come back.
  run(workspace, 'checkout', '-q', '.')
  expect(await checkpoints.save('stop')).toBe(2)
  const next = clone('second')
  await checkpointsOf(next).restore()
  expect(picture(next).status).toBe('')
  expect(events.map(({ state }) => state)).toEqual(['saved', 'saved'])
})

test('the numbers go on in the next sandbox, and an unchanged one is not saved again there', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  await checkpointsOf(first).save('turn')
  const second = clone('second')
  const checkpoints = checkpointsOf(second)
  await checkpoints.restore()
  expect(await checkpoints.save('turn')).toBe(1)
  writeFileSync(join(second, 'kept.txt'), 'three\n')
  expect(await checkpoints.save('turn')).toBe(2)
  expect(await checkpointsOf(clone('third')).save('turn')).toBe(3)
})

test('commits that others pushed meanwhile stay, when everything of the checkpoint was committed', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  run(first, 'commit', '-q', '-a', '-m', 'second')
  await checkpointsOf(first).save('turn')
  run(first, 'push', '-q', 'origin', 'HEAD:work')
  const other = clone('other')
  writeFileSync(join(other, 'theirs.txt'), 'x\n')
  run(other, 'add', '-A')
  run(other, 'commit', '-q', '-m', 'theirs')
  run(other, 'push', '-q', 'origin', 'HEAD:work')
  const next = clone('second')
  const before = picture(next)
  await checkpointsOf(next).restore()
  expect(picture(next)).toEqual(before)
})

test('a repository without a commit, and one in the middle of a merge', async () => {
  const empty = path('empty')
  run(folder, 'init', '-q', '-b', 'work', empty)
  run(empty, 'remote', 'add', 'origin', path('origin.git'))
  writeFileSync(join(empty, 'first.txt'), 'x\n')
  expect(await checkpointsOf(empty).save('turn')).toBe(1)
  const fresh = path('fresh')
  run(folder, 'init', '-q', '-b', 'work', fresh)
  await checkpointsOf(fresh).restore()
  expect(run(fresh, 'status', '--porcelain=v1', '--branch')).toBe('## No commits yet on work\n?? first.txt\n')

  const merging = clone('merging')
  run(merging, 'checkout', '-q', '-b', 'other')
  writeFileSync(join(merging, 'kept.txt'), 'theirs\n')
  run(merging, 'commit', '-q', '-a', '-m', 'theirs')
  run(merging, 'checkout', '-q', 'work')
  writeFileSync(join(merging, 'kept.txt'), 'ours\n')
  run(merging, 'commit', '-q', '-a', '-m', 'ours')
  expect(() => run(merging, 'merge', 'other')).toThrow()
  expect(await checkpointsOf(merging).save('turn')).toBe(2)
  const next = clone('second')
  await checkpointsOf(next).restore()
  expect(readFileSync(join(next, 'kept.txt'), 'utf8')).toContain('<<<<<<<')
})

test('another repository in the workspace is saved as its files, unless it came from elsewhere as it is', async () => {
  const first = clone('first')
  const write = (name: string, text: string) => writeFileSync(join(first, name), text)
  for (const name of ['unborn', 'made', 'made/deeper']) {
    run(first, 'init', '-q', name)
    write(`${name}/.gitignore`, 'ignored.txt\n')
    write(`${name}/ignored.txt`, 'x\n')
    write(`${name}/kept.txt`, `of ${name}\n`)
  }
  run(join(first, 'made'), 'add', 'kept.txt')
  run(join(first, 'made'), 'commit', '-q', '-m', 'inside')
  run(first, 'clone', '-q', path('origin.git'), 'fetched')
  run(first, 'clone', '-q', path('origin.git'), 'worked on')
  write('worked on/new.txt', 'new\n')
  write('top.txt', 'top\n')
  const before = picture(first)
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  expect(picture(first)).toEqual(before)
  const second = clone('second')
  await checkpointsOf(second).restore()
  const read = (name: string) => readFileSync(join(second, name), 'utf8')
  for (const name of ['unborn', 'made', 'made/deeper']) expect(read(`${name}/kept.txt`)).toBe(`of ${name}\n`)
  expect([read('worked on/new.txt'), read('worked on/kept.txt'), read('top.txt')]).toEqual([
    'new\n',
    'one\n',
    'top\n',
  ])
  expect(existsSync(join(second, 'made/ignored.txt'))).toBe(false)
  expect(existsSync(join(second, 'fetched/kept.txt'))).toBe(false)
})

test('other branches and stashes that nobody else has come back, and a branch that a tag is named like', async () => {
  const first = clone('first')
  const commit = (name: string) => {
    writeFileSync(join(first, name), name)
    run(first, 'add', name)
    run(first, 'commit', '-q', '-m', name)
    return run(first, 'rev-parse', 'HEAD').trim()
  }
  const work = commit('on-work')
  run(first, 'checkout', '-q', '-b', 'aside')
  const aside = commit('on-aside')
  run(first, 'branch', 'old', 'origin/main')
  run(first, 'checkout', '-q', '-b', 'release')
  run(first, 'tag', 'release')
  for (const text of ['older', 'newer']) {
    writeFileSync(join(first, 'kept.txt'), `${text}\n`)
    run(first, 'stash', 'push', '-q', '-m', text)
  }
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  await checkpointsOf(second).restore()
  const show = (...args: string[]) => run(second, ...args).trim()
  expect(show('symbolic-ref', 'HEAD')).toBe('refs/heads/release')
  expect(show('rev-parse', 'refs/heads/work', 'refs/heads/aside').split('\n')).toEqual([work, aside])
  expect(show('stash', 'list', '--format=%gs').split('\n')).toEqual([
    'On release: newer',
    'On release: older',
  ])
  run(second, 'stash', 'pop', '-q', 'stash@{1}')
  expect(readFileSync(join(second, 'kept.txt'), 'utf8')).toBe('older\n')
  expect(show('branch', '--list', 'old')).toBe('')
})

test('a clean branch with unpushed ones beside it has something to save, and both are restored', async () => {
  const first = clone('first')
  run(first, 'checkout', '-q', '-b', 'aside')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  run(first, 'commit', '-q', '-a', '-m', 'aside')
  run(first, 'checkout', '-q', 'work')
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'show', 'aside:kept.txt')).toBe('two\n')
  expect(picture(second)).toEqual(picture(first))
})
