import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type CheckpointEvent, createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { asWritten, createGitWith, type GitWith } from '../../src/checkpoints/git-with.ts'
import { makeSpare, spareGit } from '../../src/checkpoints/spare.ts'
import { createCheckpointStore } from '../../src/checkpoints/store.ts'
import { createLog } from '../../src/log.ts'

const session_id = '11111111-2222-4333-8444-555555555555'
export let folder: string
export let events: CheckpointEvent[]

/** An origin, a store of checkpoints and a folder for each test of one file. */
export function openCheckpoints(): void {
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
}

export const path = (...names: string[]): string => join(folder, ...names)
export const run = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** A whole picture: where HEAD is, what is staged, and what is not. */
export const picture = (workspace: string) => ({
  head: run(workspace, 'rev-parse', '-q', 'HEAD'),
  branch: run(workspace, 'symbolic-ref', '-q', 'HEAD'),
  status: run(workspace, 'status', '--porcelain=v1', '--untracked-files=all'),
  staged: run(workspace, 'diff', '--cached'),
  unstaged: run(workspace, 'diff'),
})

/** As the daemon clones: the session's branch, checked out. */
export function clone(name: string): string {
  const workspace = path(name)
  run(folder, 'clone', '-q', '-b', 'work', path('origin.git'), workspace)
  return workspace
}

export function checkpointsOf(workspace: string, wrap: (git: GitWith) => GitWith = (git) => git) {
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

export function dirty(workspace: string): void {
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
