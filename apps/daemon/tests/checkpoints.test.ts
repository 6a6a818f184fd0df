import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CheckpointEvent, createCheckpoints } from '../src/checkpoints/checkpoints.ts'
import { asWritten, createGitWith, type GitWith } from '../src/checkpoints/git-with.ts'
import { makeSpare, spareGit } from '../src/checkpoints/spare.ts'
import { createCheckpointStore } from '../src/checkpoints/store.ts'
import { createLog } from '../src/log.ts'
import { waitFor } from './support/wait-for.ts'

const session_id = '11111111-2222-4333-8444-555555555555'
let folder: string
let events: CheckpointEvent[]

const path = (...names: string[]): string => join(folder, ...names)
const run = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
/** A whole picture: where HEAD is, what is staged, and what is not. */
const picture = (workspace: string) => ({
  head: run(workspace, 'rev-parse', '-q', 'HEAD'),
  branch: run(workspace, 'symbolic-ref', '-q', 'HEAD'),
  status: run(workspace, 'status', '--porcelain=v1', '--untracked-files=all'),
  staged: run(workspace, 'diff', '--cached'),
  unstaged: run(workspace, 'diff'),
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-checkpoints-'))
  events = []
  for (const name of ['origin.git', 'store.git']) {
    mkdirSync(path(name))
    run(path(name), 'init', '-q', '--bare', '-b', 'main', '.')
  }
  const seed = path('seed')
  run(folder, 'clone', '-q', path('origin.git'), seed)
  for (const name of ['kept.txt', 'changed.txt', 'removed.txt', 'staged.txt'])
    writeFileSync(join(seed, name), 'one\n')
  writeFileSync(join(seed, '.gitignore'), 'ignored/\n')
  run(seed, 'add', '-A')
  run(seed, 'commit', '-q', '-m', 'first')
  run(seed, 'push', '-q', 'origin', 'HEAD:main', 'HEAD:work')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** As the daemon clones: the session's branch, checked out. */
function clone(name: string): string {
  const workspace = path(name)
  run(folder, 'clone', '-q', '-b', 'work', path('origin.git'), workspace)
  return workspace
}

function checkpointsOf(workspace: string, wrap: (git: GitWith) => GitWith = (git) => git) {
  const url = path('store.git')
  const plain = createGitWith({ workspace, home: folder, timeoutMs: 30_000, settings: asWritten(url) })
  const git = wrap(plain)
  const spare_dir = join(folder, 'spare-of', workspace.replaceAll('/', '-'))
  const spare = spareGit(git, workspace, spare_dir)
  return createCheckpoints({
    git,
    store: createCheckpointStore({ git, url, session_id }),
    spare: async () => {
      await makeSpare(spare, spare_dir)
      return { git: spare, store: createCheckpointStore({ git: spare, url, session_id }) }
    },
    workspace,
    index_file: join(folder, 'index-of', workspace.replaceAll('/', '-')),
    isPushed: async (head) => run(workspace, 'branch', '-r', '--contains', head).trim() !== '',
    onEvent: (event) => events.push(event),
    signal: new AbortController().signal,
    log: createLog(() => undefined),
  })
}

function dirty(workspace: string): void {
  const write = (name: string, text: string) => writeFileSync(join(workspace, name), text)
  write('committed.txt', 'never pushed\n')
  run(workspace, 'add', 'committed.txt')
  run(workspace, 'commit', '-q', '-m', 'local only')
  write('staged.txt', 'staged\n')
  run(workspace, 'add', 'staged.txt')
  write('staged.txt', 'staged, and changed again\n')
  write('changed.txt', 'changed\n')
  rmSync(join(workspace, 'removed.txt'))
  mkdirSync(join(workspace, 'new folder'))
  write('new folder/ümlaut "quoted".txt', 'untracked\n')
  mkdirSync(join(workspace, 'ignored'))
  write('ignored/secret.txt', 'ignored\n')
}

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

test('a store that is away is told once, and nothing of the agent waits for it', async () => {
  const workspace = clone('first')
  const url = path('store.git')
  const away = path('away.git')
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  execFileSync('mv', [url, away])
  const checkpoints = checkpointsOf(workspace)
  expect(await checkpoints.save('turn')).toBe(null)
  expect(await checkpoints.save('turn')).toBe(null)
  expect(events).toMatchObject([{ state: 'failed', number: null, reason: 'turn' }])
  execFileSync('mv', [away, url])
  expect(await checkpoints.save('turn')).toBe(1)
})

test('what was not saved is saved once the store is back, without another turn', async () => {
  const workspace = clone('first')
  const url = path('store.git')
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  execFileSync('mv', [url, path('away.git')])
  expect(await checkpointsOf(workspace).save('turn')).toBe(null)
  execFileSync('mv', [path('away.git'), url])
  await waitFor('the checkpoint', () => events.some(({ state }) => state === 'saved'))
  expect(events.at(-1)).toMatchObject({ state: 'saved', number: 1, reason: 'turn' })
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

const damages: readonly (readonly [string, (git: string) => void])[] = [
  ['no repository', (git) => rmSync(git, { recursive: true })],
  ['settings that are none', (git) => writeFileSync(join(git, 'config'), '[[[\n')],
  [
    'a filter that fails',
    (git) => {
      run(git, 'config', 'filter.broken.clean', 'false')
      run(git, 'config', 'filter.broken.required', 'true')
      writeFileSync(join(git, 'info', 'attributes'), '*.txt filter=broken\n')
    },
  ],
]
test.each(damages)('the files are saved in a workspace with %s', async (_, damage) => {
  const first = clone('first')
  writeFileSync(join(first, 'new.txt'), 'new\n')
  rmSync(join(first, 'removed.txt'))
  damage(join(first, '.git'))
  const checkpoints = checkpointsOf(first)
  expect([await checkpoints.save('turn'), await checkpoints.save('stop')]).toEqual([1, 1])
  expect(events).toMatchObject([{ state: 'saved', message: expect.stringContaining('could not be used') }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(readFileSync(join(second, 'new.txt'), 'utf8')).toBe('new\n')
  expect(existsSync(join(second, 'removed.txt'))).toBe(false)
  expect(run(second, 'log', '--format=%s')).toBe('first\n')
  expect(picture(second).staged).toBe('')
})

test('an index that cannot be read is done without', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  writeFileSync(join(first, '.git', 'index'), 'garbage')
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
  expect(readFileSync(join(second, 'staged.txt'), 'utf8')).toBe('staged, and changed again\n')
})

test('settings of the agent’s own send neither the files nor their address elsewhere', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  for (const kind of ['insteadOf', 'pushInsteadOf'])
    run(first, 'config', `url.${path('nowhere')}/.${kind}`, `${folder}/`)
  run(first, 'config', 'core.worktree', path('seed'))
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(picture(second).status).toBe(' M kept.txt\n')
})

test('what cannot be read is named, and the rest is saved', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  // These complaints are made up: the user who runs the tests may read everything.
  const complaints = [
    "error: unable to index file 'closed.txt'",
    "warning: could not open directory 'shut/': x",
  ]
  const checkpoints = checkpointsOf(first, (git) => async (env, ...args) => {
    const result = await git(env, ...args)
    return args.includes('add') ? { ...result, ok: false, stderr: complaints.join('\n') } : result
  })
  expect(await checkpoints.save('turn')).toBe(1)
  const message = 'Not saved, since it is too large or cannot be read: closed.txt, shut/'
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'turn', message }])
})

test('what the agent removes while it is read costs the checkpoint nothing of the repository', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  // The one is read before the other, which is gone by then.
  run(first, 'config', 'filter.hasty.clean', `rm -f '${join(first, 'gone.tmp')}'; cat`)
  writeFileSync(join(first, '.git', 'info', 'attributes'), 'changed.txt filter=hasty\n')
  writeFileSync(join(first, 'gone.tmp'), 'x\n')
  expect(await checkpointsOf(first).save('periodic')).toBe(1)
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'periodic' }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
})

test('a pipe in the place of a file and a file that is too large are named, and the rest is saved', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  rmSync(join(first, 'kept.txt'))
  execFileSync('mkfifo', [join(first, 'kept.txt'), join(first, 'unknown pipe')])
  writeFileSync(join(first, 'large *.bin'), '')
  truncateSync(join(first, 'large *.bin'), 600 * 1024 * 1024)
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const message = 'Not saved, since it is too large or cannot be read: large *.bin, kept.txt'
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'turn', message }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
  expect(readFileSync(join(second, 'staged.txt'), 'utf8')).toBe('staged, and changed again\n')
})

test('looking at another repository in the workspace holds no lock of it', async () => {
  const first = clone('first')
  run(first, 'clone', '-q', path('origin.git'), 'fetched')
  const index = join(first, 'fetched', '.git', 'index')
  const { ino } = statSync(index)
  utimesSync(join(first, 'fetched', 'kept.txt'), 1, 1)
  await checkpointsOf(first).save('turn')
  expect(statSync(index).ino).toBe(ino)
})

test('a platform that is away while a sandbox begins is waited for: its work is not gone on without', async () => {
  const first = clone('first')
  dirty(first)
  const before = picture(first)
  await checkpointsOf(first).save('turn')
  const second = clone('second')
  let refusals = 0
  const away = { ok: false, stdout: '', stderr: 'fatal: unable to access: Connection refused' }
  const checkpoints = checkpointsOf(second, (git) => async (env, ...args) => {
    if (args[0] !== 'ls-remote' || refusals === 4) return git(env, ...args)
    refusals += 1
    return away
  })
  await checkpoints.restore()
  expect(picture(second)).toEqual(before)
  expect(events.at(-1)).toEqual({ number: 1, state: 'restored' })
})
