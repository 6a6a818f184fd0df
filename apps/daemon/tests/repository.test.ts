import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { createGit } from '../src/repository/git.ts'
import { createRepository } from '../src/repository/repository.ts'
import { type GitOrigin, startGitOrigin } from './support/git-origin.ts'

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

const repository = (more: { branch?: string; base_ref?: string; attempts?: number } = {}) =>
  createRepository({
    git: createGit(workspace, join(folder, 'home')),
    workspace,
    repo_url: origin.url,
    branch: 'session',
    base_ref: 'main',
    default_branch: 'main',
    helper: `!f() { echo username=x-access-token; echo password=${password}; }; f`,
    agent_name: 'coder "quoted"',
    auto_clone: true,
    attempts: 1,
    restoration: { owe: () => undefined, isOwed: () => false, run: async () => undefined },
    signal: new AbortController().signal,
    log: createLog(() => undefined),
    ...more,
  })
/** Not in step with this process, which serves the origin. */
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
  writeFileSync(join(workspace, '.git/index.lock'), '')
  expect(await repository().open()).toBe(true)
  expect(existsSync(join(workspace, 'a'))).toBe(true)
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
  expect(await resumed.refresh()).toMatchObject({ updated: false, note: expect.stringContaining('commits') })
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
