import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { createGit, type Git } from '../src/repository/git.ts'
import { createRepository } from '../src/repository/repository.ts'
import { deferred } from '../src/shared/deferred.ts'
import { type GitOrigin, startGitOrigin } from './support/git-origin.ts'
import { holdCheckout, slowFile } from './support/hold-checkout.ts'
import { waitFor } from './support/wait-for.ts'

let folder: string
let workspace: string
let origin: GitOrigin
const password = 'right'
const run = promisify(execFile)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-repo-'))
  workspace = join(folder, 'workspace')
  mkdirSync(join(folder, 'home'))
  origin = await startGitOrigin('127.0.0.1', folder, password)
})
afterEach(async () => {
  await origin.close()
  rmSync(folder, { recursive: true, force: true })
})

interface More {
  readonly branch?: string
  readonly base_ref?: string
  readonly attempts?: number
  readonly is_new?: boolean
  readonly is_awaited?: boolean
  readonly authorized?: () => Promise<Git | null>
}
const repository = (more: More = {}) =>
  createRepository({
    git: createGit(workspace, join(folder, 'home')),
    workspace,
    home: join(folder, 'home'),
    repo_url: origin.url,
    door: null,
    branch: 'session',
    base_ref: 'main',
    default_branch: 'main',
    helper: `!f() { echo username=x-access-token; echo password=${password}; }; f`,
    agent_name: 'coder "quoted"',
    auto_clone: true,
    attempts: 1,
    authorized: async () => null,
    begun: Promise.resolve(null),
    calm: Promise.resolve(),
    is_new: true,
    is_awaited: false,
    restoration: { owe: () => undefined, isOwed: () => false, run: async () => undefined },
    signal: new AbortController().signal,
    log: createLog(() => undefined),
    ...more,
  })
const header = (secret = password) =>
  `Authorization: Basic ${Buffer.from(`x-access-token:${secret}`).toString('base64')}`

/** Adds that many commits to main. */
function grow(commits: number): void {
  const lines = Array.from({ length: commits }, (_, n) =>
    [
      'commit refs/heads/main',
      `committer t <t@t.invalid> ${1_700_000_000 + n} +0000`,
      'data 1',
      'm',
      `M 100644 inline f${n % 7}`,
      `data ${`${n}`.length}`,
      `${n}`,
      '',
    ].join('\n'),
  )
  origin.import(lines.join('\n'))
}

/** Leaves the locks of a git that is killed while it writes. */
function leaveLocks(): void {
  mkdirSync(join(workspace, '.git/refs/remotes/origin'), { recursive: true })
  for (const name of ['index', 'packed-refs', 'refs/heads/session', 'refs/remotes/origin/main'])
    writeFileSync(join(workspace, '.git', `${name}.lock`), '')
  writeFileSync(join(folder, 'home/.gitconfig'), '')
  writeFileSync(join(folder, 'home/.gitconfig.lock'), '')
}

/** Runs git without blocking this process, which serves the origin. */
async function git(...args: string[]): Promise<string> {
  const env = { ...process.env, HOME: join(folder, 'home'), GIT_TERMINAL_PROMPT: '0' }
  const { stdout } = await run('git', args, { cwd: workspace, env })
  return stdout.trim()
}

test('clones the session’s branch and not those of other sessions', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', { b: '2' }, 'main')
  origin.commit('other-session', { c: '3' }, 'main')
  expect(await repository().open()).toBe(true)
  expect((await git('branch', '-r')).split(/\s+/).filter(Boolean)).toEqual(['origin/main', 'origin/session'])
  expect(await git('log', '--format=%H', '-1')).toBe(origin.git('rev-parse', 'session'))
  expect(await git('config', 'user.name')).toBe('svc coder "quoted"')
})

test('a folder that holds other things is cloned into, and a plain push works', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'kept.txt'), 'kept')
  expect(await repository().open()).toBe(true)
  expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe('kept')
  await git('commit', '-q', '--allow-empty', '-m', 'mine')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('mine')
})

test('an empty repository gives an unborn branch, whose first push makes it', async () => {
  const opened = repository()
  expect(await opened.open()).toBe(true)
  expect(await opened.health()).toMatchObject({ state: 'ready', branch: 'session', commit: null })
  await git('commit', '-q', '--allow-empty', '-m', 'first')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('first')
})

test('a branch that the origin does not have yet is cut from the base', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('release', { r: '1' }, 'main')
  expect(await repository({ base_ref: 'release' }).open()).toBe(true)
  expect(await git('symbolic-ref', '--short', 'HEAD')).toBe('session')
  expect(existsSync(join(workspace, 'r'))).toBe(true)
})

test('a clone that was cut short is done again', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'session', '.')
  leaveLocks()
  expect(await repository().open()).toBe(true)
  expect(existsSync(join(workspace, 'a'))).toBe(true)
})

test('a clone in which git was killed takes what is new at its next start', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  origin.commit('session', { b: '2' })
  leaveLocks()
  const next = repository()
  expect(await next.open()).toBe(true)
  expect((await next.health()).error).toBe(null)
  expect(existsSync(join(workspace, 'b'))).toBe(true)
})

/** Git with the credential in its first request. */
const authorized = (secret: string) => async () =>
  createGit(workspace, join(folder, 'home'), {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin.url}.extraHeader`,
    GIT_CONFIG_VALUE_0: header(secret),
  })

test('with the credential at hand no request is refused, and it is kept nowhere', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', { b: '2' }, 'main')
  expect(await repository({ authorized: authorized(password) }).open()).toBe(true)
  expect(origin.requests.length).toBeGreaterThan(0)
  expect(origin.requests.every((request) => request.authorized)).toBe(true)
  expect(await git('config', '--get-regexp', '.*')).not.toContain('Authorization')
})

test('a credential that is refused leaves git to ask for one', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  expect(await repository({ authorized: authorized('wrong') }).open()).toBe(true)
  expect(await git('log', '--format=%H', '-1')).toBe(origin.git('rev-parse', 'session'))
})

test('of a long history the last commits come first, and the rest while work goes on', async () => {
  grow(120)
  const tip = origin.git('rev-parse', 'main')
  origin.git('branch', 'session', 'main')
  let deepened = 0
  const held = deferred<void>()
  /** The first git is for the clone; the next waits, as a slow origin makes it. */
  const slowly = async (): Promise<Git> => {
    deepened += 1
    if (deepened > 1) await held.promise
    return authorized(password)()
  }
  const opened = repository({ authorized: slowly })
  expect(await opened.open()).toBe(true)
  expect(await opened.health()).toMatchObject({ state: 'ready', commit: tip })
  expect(Number(await git('rev-list', '--count', 'HEAD'))).toBeLessThan(120)

  // The agent can commit and push meanwhile.
  await git('commit', '-q', '--allow-empty', '-m', 'mine')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('mine')
  expect(origin.git('rev-list', '--count', 'session')).toBe('121')

  held.resolve()
  await waitFor('the whole history', async () => (await git('rev-list', '--count', 'HEAD')) === '121')
  await waitFor('the end of being shallow', () => !existsSync(join(workspace, '.git', 'shallow')))
  expect(await git('status', '--porcelain')).toBe('')
})

test('a history that stayed unfinished is finished at the next start', async () => {
  grow(120)
  origin.git('branch', 'session', 'main')
  await repository({ is_new: false }).open()
  expect(await git('rev-list', '--count', 'HEAD')).toBe('120')
  rmSync(workspace, { recursive: true })
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'other', '.')
  await git('-c', `http.extraHeader=${header()}`, 'fetch', '-q', '--depth=1', origin.url, '+session:session')
  await git('checkout', '-q', '-f', 'session')
  expect(await repository().open()).toBe(true)
  await waitFor('the whole history', async () => (await git('rev-list', '--count', 'HEAD')) === '120')
})

test('a resume keeps commits that were never pushed, beside what the origin got meanwhile', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  await git('commit', '-q', '--allow-empty', '-m', 'only here')
  const mine = await git('rev-parse', 'HEAD')
  origin.commit('session', { b: '2' })
  const resumed = repository()
  expect(await resumed.open()).toBe(true)
  expect(await resumed.health()).toMatchObject({ state: 'ready', commit: mine })
  expect(await resumed.refresh()).toMatchObject({
    updated: false,
    note: expect.stringMatching(/commits that the origin does not have.*git pull/),
    blocked: true,
  })
})

test('a refresh leaves what is not committed alone, and says what stands in the way', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  const opened = repository()
  await opened.open()
  writeFileSync(join(workspace, 'a'), 'mine')
  expect(await opened.refresh()).toEqual({ updated: false, note: null, blocked: false })
  origin.commit('session', { b: '2' })
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/not committed/),
    blocked: true,
  })
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('mine')
  await git('checkout', '-q', '--', 'a')
  writeFileSync(join(workspace, 'b'), 'mine')
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/untracked.*\bb\b/s),
    blocked: true,
  })
  expect(readFileSync(join(workspace, 'b'), 'utf8')).toBe('mine')
  rmSync(join(workspace, 'b'))
  await git('switch', '-q', '-c', 'other')
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/git switch session/),
    blocked: true,
  })
  await git('switch', '-q', 'session')
  expect(await opened.refresh()).toEqual({ updated: true, note: null, blocked: false })
})

test('a resume works without its origin', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  await origin.close()
  const resumed = repository()
  expect(await resumed.open()).toBe(true)
  expect(await resumed.health()).toMatchObject({ state: 'ready', error: expect.stringContaining('Fetching') })
})

test('a clone without an origin fails with git’s words, and never names a credential', async () => {
  await origin.close()
  const failed = repository({ attempts: 2 })
  expect(await failed.open()).toBe(false)
  const health = await failed.health()
  expect(health).toMatchObject({ state: 'failed', commit: null })
  expect(health.error).toMatch(/Failed to connect|Couldn't connect|Connection refused/)
})

test.each([
  ['are awaited', true],
  ['may be long in coming', false],
])(
  'settings that %s are there before the rest, of which nothing is missing afterwards',
  async (_, is_awaited) => {
    const go = holdCheckout(join(folder, 'home'))
    origin.commit('main', {
      '.gitattributes': slowFile,
      'svc.yaml': 'svc_version: 2\n',
      '.svc/agentrt/agents/a.md': 'a',
      'other/file': 'o',
      slow: 's',
    })
    origin.commit('session', {}, 'main')
    const opened = repository({ is_awaited })
    const open = opened.open()
    await opened.settings
    expect(readFileSync(join(workspace, '.svc/agentrt/agents/a.md'), 'utf8')).toBe('a')
    expect((await opened.health()).state).toBe('cloning')
    expect(existsSync(join(workspace, 'slow'))).toBe(false)
    go()
    expect(await open).toBe(true)
    expect(await git('status', '--porcelain', '--branch')).toBe('## session...origin/session')
    expect(readFileSync(join(workspace, 'slow'), 'utf8')).toBe('s')
  },
)

const linkedSettings = [
  'commit refs/heads/main',
  'committer t <t@t.invalid> 1700000000 +0000',
  'data 1\nm',
  'M 100644 inline other\ndata 1\no',
  'M 120000 inline AGENTS.md\ndata 5\nother\n',
].join('\n')

test.each([
  ['behind a link', () => origin.import(linkedSettings)],
  [
    'in a folder of their own',
    () => origin.commit('main', { 'svc.yaml': 'agentrt: { config_dir: tools/agent }\n' }),
  ],
])('settings %s are there with the rest', async (_, fill) => {
  fill()
  const opened = repository()
  const state = opened.settings.then(async () => (await opened.health()).state)
  await opened.open()
  expect(await state).toBe('ready')
})

test('an attempt that was cut short in the middle of its files is gone on with', async () => {
  origin.commit('main', { a: '1', b: '2' })
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'session', '.')
  writeFileSync(join(workspace, 'a'), 'half of')
  expect(await repository().open()).toBe(true)
  expect(await git('status', '--porcelain')).toBe('')
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('1')
})
