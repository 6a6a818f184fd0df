import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createGit, type Git } from '../../src/git/git.ts'
import { createRepository } from '../../src/repository/repository.ts'
import { type GitOrigin, startGitOrigin } from '../support/git-origin.ts'

export let folder: string
export let workspace: string
export let origin: GitOrigin
export const password = 'right'
const run = promisify(execFile)

/** An origin and an empty workspace for each test of one file. */
export function openRepositories(): void {
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
}

interface More {
  readonly branch?: string
  readonly base_ref?: string
  readonly attempts?: number
  readonly is_new?: boolean
  readonly is_awaited?: boolean
  readonly authorized?: () => Promise<Git | null>
}
export const repository = (more: More = {}) =>
  createRepository({
    git: createGit(workspace, join(folder, 'home')),
    workspace,
    home: join(folder, 'home'),
    repo_url: origin.url,
    proxied: null,
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
export const header = (secret = password) =>
  `Authorization: Basic ${Buffer.from(`x-access-token:${secret}`).toString('base64')}`

/** Adds that many commits to main. */
export function grow(commits: number): void {
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
export function leaveLocks(): void {
  mkdirSync(join(workspace, '.git/refs/remotes/origin'), { recursive: true })
  for (const name of ['index', 'packed-refs', 'refs/heads/session', 'refs/remotes/origin/main'])
    writeFileSync(join(workspace, '.git', `${name}.lock`), '')
  writeFileSync(join(folder, 'home/.gitconfig'), '')
  writeFileSync(join(folder, 'home/.gitconfig.lock'), '')
}

/** Runs git without blocking this process, which serves the origin. */
export async function git(...args: string[]): Promise<string> {
  const env = { ...process.env, HOME: join(folder, 'home'), GIT_TERMINAL_PROMPT: '0' }
  const { stdout } = await run('git', args, { cwd: workspace, env })
  return stdout.trim()
}

/** Git with the credential in its first request. */
export const authorized = (secret: string) => async () =>
  createGit(workspace, join(folder, 'home'), {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin.url}.extraHeader`,
    GIT_CONFIG_VALUE_0: header(secret),
  })
