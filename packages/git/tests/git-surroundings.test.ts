import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile as readText, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as git from '../src/index.ts'
import { commit, type GitServer, makeRepository, startGitServer, testGit } from '../src/testing/index.ts'
import { storage } from './storage.ts'

/** The folder of a git that notes how it is called before it does its work. */
const folder = await mkdtemp(join(tmpdir(), 'svc-surroundings-'))
const notes = join(folder, 'notes')
const { repositories, managed, ...places } = await storage({
  environment: { PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin` },
})
const cache_root = await realpath(places.cache_root)
const credential = { username: 'x-access-token', token: 'very-secret-token' }

let host: GitServer
beforeAll(async () => {
  await mkdir(join(folder, 'bin'))
  const script = `#!/bin/sh
note=$(mktemp "${notes}/call.XXXXXXXX")
{ env -0; printf '\\0'; for each in "$@"; do printf '%s\\0' "$each"; done; } > "$note"
exec "${await testGit(['--exec-path'])}/git" "$@"
`
  await writeFile(join(folder, 'bin/git'), script, { mode: 0o755 })
  host = await startGitServer({ root: folder, credential })
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await rm(notes, { recursive: true, force: true })
  await mkdir(notes)
})

interface Call {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** Every call of git since the test began. */
async function calls(): Promise<Call[]> {
  const files = await readdir(notes)
  return Promise.all(
    files.map(async (file) => {
      const fields = (await readText(join(notes, file), 'utf8')).split('\0')
      const end = fields.indexOf('')
      const pairs = fields.slice(0, end).map((pair) => {
        const sign = pair.indexOf('=')
        return [pair.slice(0, sign), pair.slice(sign + 1)] as const
      })
      return { env: Object.fromEntries(pairs), args: fields.slice(end + 1, -1) }
    }),
  )
}

const committed_at = new Date('2026-03-04T05:06:07Z')

/** Calls every verb of this package with names of the caller's choice in every place. */
async function everyVerb(repository: git.Repository): Promise<void> {
  const { git_dir } = repository
  const base_sha = await testGit(['rev-parse', 'refs/heads/main'], { git_dir })
  const head_sha = await testGit(['rev-parse', 'refs/heads/marker'], { git_dir })
  const changes = [{ path: 'marker/path', content: 'x' }]
  const message = '--marker\n\nbody'
  await git.tips(repository)
  await git.defaultBranch(repository)
  await git.listBranches(repository)
  await git.resolveBranch(repository, 'marker')
  await git.resolveCommit(repository, 'marker')
  await git.mergeBase(repository, base_sha, head_sha)
  await git.isAncestor(repository, base_sha, head_sha)
  await git.listFiles(repository, { ref: 'marker', path: 'marker', recursive: true })
  await git.readFile(repository, { ref: 'marker', path: 'marker/path' })
  await git.listCommits(repository, { ref: 'marker', path: 'marker/path', limit: 5 })
  await git.preview(repository, { base_ref: 'main', head_ref: 'marker' })
  const request = { base: base_sha, head: head_sha, three_dot: true, max_patch_bytes: 1_000_000 }
  await git.diff(repository, request)
  await git.diff(repository, { ...request, path: 'marker/path' })
  const plan = await git.planMerge(repository, { base_sha, head_sha, message, committed_at })
  expect(plan.kind).toBe('merge_commit')
  const made = await git.writeCommit(repository, { parent_sha: base_sha, changes, message, committed_at })
  await git.createBranch(repository, { branch: 'marker-2', at_sha: made })
  await git.moveBranch(repository, { branch: 'marker-2', from_sha: made, to_sha: base_sha })
}

const surroundings = /^(GIT_\w+|SVC_PUSH_\w+|PATH|HOME|LC_ALL|TZ|PWD|OLDPWD|SHLVL|_|__CF_USER_TEXT_ENCODING)$/

function expectTight({ env, args }: Call, protocol: string): void {
  const command = `git ${args.join(' ')}`
  expect(env, command).toMatchObject({
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_CONFIG_GLOBAL: `${env['HOME']}/gitconfig`,
  })
  expect(env['HOME'], command).toMatch(new RegExp(`^${cache_root}/home-[0-9a-f]+$`))
  expect(Object.keys(env).filter((name) => !surroundings.test(name))).toEqual([])
  const limit = args.findIndex((arg) => arg === '--end-of-options' || arg === '--')
  for (const [index, arg] of args.entries()) {
    const named = arg.includes('marker') || arg.includes('://')
    if (!named || /^(--force-with-lease=)?refs\/heads\//.test(arg)) continue
    expect(limit === -1 ? args.length : limit, command).toBeLessThan(index)
  }
  expect(args.join(' ')).not.toContain(credential.token)
}

test('--end-of-options, no protocol, no system config and a private HOME: every git command on a managed repository', async () => {
  const repository = await managed()
  await commit(repository, 'main', { 'a.txt': 'a' })
  await commit(repository, 'marker', { 'marker/path': 'm' }, 'M', { from: 'main' })
  await commit(repository, 'main', { 'b.txt': 'b' })
  await everyVerb(repository)
  await commit(repository, 'main', sampledFiles())
  expect(await git.maintain(repository)).toBe(true)
  const output = new PassThrough()
  output.resume()
  for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
    const input = new PassThrough()
    await git.serveGit(repository, { service, advertise: true, git_protocol: 'version=2', input, output })
  }
  const seen = await calls()
  for (const call of seen) expectTight(call, '')
  expect(seen.some(({ args }) => args.includes('--end-of-options'))).toBe(true)
  expect(seen.map(({ args }) => args[0])).toContain('gc')
  expect(seen.length).toBeGreaterThan(10)
})

/** Files whose blobs lie in the folder by which a repository is judged to have grown. */
function sampledFiles(): Record<string, string> {
  const isSampled = (content: string) =>
    createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex').startsWith('17')
  const contents = Array.from({ length: 10_000 }, (_, index) => `${index}`).filter(isSampled)
  return Object.fromEntries(contents.slice(0, 10).map((content) => [`grown/${content}`, content]))
}

test('--end-of-options, one protocol, no system config and a private HOME: every git command on a connected one', async () => {
  const name = `${randomUUID()}.git`
  const remote = await makeRepository({ git_dir: join(folder, name), files: { 'a.txt': 'a' } })
  await commit(remote, 'marker', { 'marker/path': 'm' }, 'M', { from: 'main' })
  await commit(remote, 'main', { 'b.txt': 'b' })
  const repo_url = host.url(name)
  const target = { kind: 'connected' as const, project_id: randomUUID(), repo_url, credential }
  await everyVerb(await repositories.open(target))
  const seen = await calls()
  const away = seen.filter(({ args }) => args.some((arg) => arg.includes('://')))
  for (const call of seen) expectTight(call, away.includes(call) ? 'http' : '')
  expect(new Set(away.map(({ args }) => args[0]))).toEqual(new Set(['ls-remote', 'fetch', 'push']))
})

test('transfer.fsckObjects and the other settings are read, from the private HOME and nowhere else', async () => {
  const { runner, git_dir } = await managed()
  const read = async (...args: string[]) =>
    (await runner.run(['config', ...args], { git_dir })).stdout.toString('utf8').trim()
  expect(await read('--get', 'transfer.fsckObjects')).toBe('true')
  expect(await read('--get', 'http.followRedirects')).toBe('false')
  expect(await read('--get', 'core.hooksPath')).toBe('/dev/null')
  const origins = (await read('--list', '--show-origin', '--name-only')).split('\n')
  const files = new Set(origins.map((line) => line.split('\t')[0]?.replace(/^file:/, '')))
  expect([...files].filter((file) => !file?.startsWith(cache_root) && !file?.startsWith(git_dir))).toEqual([])
})
