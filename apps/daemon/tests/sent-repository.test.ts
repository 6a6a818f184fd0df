import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DaemonServer, openDaemonServer } from '../src/serving/daemon-server.ts'
import { createLog } from '../src/log.ts'
import { createGit } from '../src/git/git.ts'
import { createRepository } from '../src/repository/repository.ts'
import { type EarlyFetch, startEarlyFetch } from '../src/warm/early-fetch.ts'
import { type GitOrigin, startGitOrigin } from './support/git-origin.ts'

const key = 'svc_sbx_the-sandbox'
const password = 'svc_pat_the-session'
let folder: string
let workspace: string
let home: string
let origin: GitOrigin
let door: DaemonServer
const run = promisify(execFile)
const log = createLog(() => undefined)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sent-'))
  workspace = join(folder, 'workspace')
  home = join(folder, 'home')
  mkdirSync(home)
  origin = await startGitOrigin('127.0.0.1', folder, password)
  door = await openDaemonServer({ host: '127.0.0.1', port: 0, fd: undefined }, log)
})
afterEach(async () => {
  for (const server of door.servers) server.close()
  await origin.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Begins as `main` does. */
async function beginEarly(): Promise<EarlyFetch | null> {
  return startEarlyFetch(
    {
      HOME: home,
      SVC_WORKSPACE: workspace,
      SVC_API_URL: origin.url.replace('/git/p1.git', ''),
      SVC_REPO_URL: origin.url,
      SVC_BRANCH_NAME: 'session',
      SVC_BASE_REF: 'main',
      SVC_DEFAULT_BRANCH: 'main',
      SVC_PROJECT_AUTO_CLONE: '1',
      SVC_SESSION_IS_NEW: '1',
      SVC_REPOSITORY_SENT: '1',
      SVC_SANDBOX_TOKEN: key,
      SVC_CLI_TOKEN: password,
    },
    log,
    door,
  )
}

/** The daemon's own part of the clone. */
async function begin(): Promise<{ early: EarlyFetch | null; opened: Promise<boolean> }> {
  const early = await beginEarly()
  const repository = createRepository({
    git: createGit(workspace, home),
    workspace,
    home,
    repo_url: origin.url,
    proxied: null,
    branch: 'session',
    base_ref: 'main',
    default_branch: 'main',
    helper: `!f() { echo username=x-access-token; echo password=${password}; }; f`,
    agent_name: 'coder',
    auto_clone: true,
    attempts: 1,
    authorized: async () => null,
    begun: early?.begun ?? Promise.resolve(null),
    calm: Promise.resolve(),
    is_new: true,
    is_awaited: false,
    restoration: { owe: () => undefined, isOwed: () => false, run: async () => undefined },
    signal: new AbortController().signal,
    log,
  })
  return { early, opened: repository.open() }
}

function post(content: Buffer, more: { key?: string; method?: string; cut?: boolean } = {}): Promise<number> {
  const [server] = door.servers
  const address = server?.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const headers = { authorization: `Bearer ${more.key ?? key}`, connection: 'close' }
  return new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/svc/repository', method: more.method ?? 'POST', headers },
      (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode ?? 0)
      },
    )
    outgoing.on('error', () => resolve(0))
    if (more.cut === true) outgoing.write(content, () => outgoing.destroy())
    else outgoing.end(content)
  })
}

/** The content that the platform would send of the origin as it is now. */
function content(shallow: readonly string[] = []): Buffer {
  const main = origin.git('rev-parse', 'main')
  const refs = { main, session: main }
  const input = [...shallow.map((sha) => `--shallow ${sha}`), main, ''].join('\n')
  const args = ['pack-objects', '--revs', '--stdout', '-q', '--shallow']
  const pack = execFileSync('git', args, { cwd: origin.folder, input })
  return Buffer.concat([Buffer.from(`${JSON.stringify({ refs, shallow })}\n`), pack])
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: workspace, encoding: 'utf8', env: { ...process.env, HOME: home } }).trim()

test('what is sent is a whole clone, and nobody asks the origin', async () => {
  origin.commit('main', { 'README.md': 'first\n', 'dir/a': 'a' })
  origin.commit('main', { 'README.md': 'second\n' })
  const { opened } = await begin()
  expect(await post(content())).toBe(200)
  expect(await opened).toBe(true)
  expect(origin.requests).toEqual([])
  const main = origin.git('rev-parse', 'main')
  expect(git('status', '--porcelain', '--branch')).toBe('## session...origin/session')
  expect(git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')).toEqual([
    `refs/heads/session ${main}`,
    `refs/remotes/origin/main ${main}`,
    `refs/remotes/origin/session ${main}`,
  ])
  expect(git('rev-list', '--count', 'HEAD')).toBe('2')
  expect(git('fsck', '--strict')).toBe('')
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe('second\n')
  writeFileSync(join(workspace, 'new'), 'work')
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'work')
  // The origin is served by this very process.
  await run('git', ['push', '-q'], { cwd: workspace, env: { ...process.env, HOME: home } })
  expect(origin.git('rev-parse', 'session')).toBe(git('rev-parse', 'HEAD'))
})

test('history that was left out comes from the origin, after the rest', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('main', { a: '2' })
  const main = origin.git('rev-parse', 'main')
  const { opened } = await begin()
  expect(await post(content([main]))).toBe(200)
  expect(await opened).toBe(true)
  await expect.poll(() => git('rev-list', '--count', 'HEAD')).toBe('2')
  expect(existsSync(join(workspace, '.git', 'shallow'))).toBe(false)
})

test('an empty repository has a branch that waits for its first commit', async () => {
  const { opened } = await begin()
  expect(await post(Buffer.from('{"refs":{},"shallow":[]}\n'))).toBe(200)
  expect(await opened).toBe(true)
  expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/session')
  expect(origin.requests).toEqual([])
})

test('it is taken once, by its method, with the sandbox’s own key', async () => {
  origin.commit('main', { a: 'a' })
  const { opened } = await begin()
  expect(await post(content(), { key: 'another' })).toBe(401)
  expect(await post(Buffer.alloc(0), { method: 'GET' })).toBe(405)
  expect(await post(content())).toBe(200)
  expect(await opened).toBe(true)
  expect(origin.requests).toEqual([])
  door.give({
    answer: (_request, response) => response.writeHead(404).end(),
    upgrade: async () => undefined,
  })
  expect(await post(content())).toBe(404)
})

test.each([
  ['no JSON', () => Buffer.from('what\n'), 422],
  ['no line', () => Buffer.from('{"refs":'), 422],
  ['a broken pack', () => Buffer.concat([content().subarray(0, -30), Buffer.alloc(30)]), 422],
  [
    'refs without their commits',
    () => Buffer.from(`{"refs":{"main":"${'1'.repeat(40)}"},"shallow":[]}\nPACK`),
    422,
  ],
  ['a connection that is cut', () => content().subarray(0, -30), 0],
])('after %s the origin is asked', async (what, make, status) => {
  origin.commit('main', { a: 'a' })
  const { opened } = await begin()
  expect(await post(make(), { cut: what.includes('cut') })).toBe(status)
  expect(await opened).toBe(true)
  expect(origin.requests.length).toBeGreaterThan(0)
  expect(git('status', '--porcelain')).toBe('')
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a')
})

test('a platform that sends nothing after all is not waited for', async () => {
  origin.commit('main', { a: 'a' })
  const { opened } = await begin()
  expect(await opened).toBe(true)
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a')
})

test('a daemon that is killed before the files are written leaves no clone that seems whole', async () => {
  origin.commit('main', { a: 'a' })
  // Nothing of the daemon's own part comes to pass.
  const early = await beginEarly()
  expect(await post(content())).toBe(200)
  await early?.begun
  rmSync(join(workspace, 'a'), { force: true })
  const { opened } = await begin()
  expect(await opened).toBe(true)
  expect(git('status', '--porcelain', '--branch')).toBe('## session')
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a')
})
