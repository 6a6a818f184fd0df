import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  createBranch,
  defaultBranch,
  diff,
  isAncestor,
  moveBranch,
  planMerge,
  preview,
  resolveBranch,
  tips,
  writeCommit,
} from '../src/index.ts'
import { commit, makeRepository, startGitServer, type TestRepository } from '../src/testing/index.ts'
import { storage } from './storage.ts'

const credential = { username: 'x-access-token', token: 'very-secret-token-1234567890' }
const { repositories, root, cache_root } = await storage()
const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
const host = await startGitServer({ root: folder, credential })
const committed_at = new Date(1_700_000_000_000)
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

let remote: TestRepository
let name: string
let project_id: string
beforeEach(async () => {
  project_id = randomUUID()
  name = `${randomUUID()}.git`
  host.answer = null
  remote = await makeRepository({
    git_dir: join(folder, name),
    files: { 'a.txt': 'a\n' },
    branches: { work: { 'b.txt': 'b\n' } },
  })
})

const target = (overrides: object = {}) => ({
  kind: 'connected' as const,
  project_id,
  repo_url: host.url(name),
  credential,
  ...overrides,
})
const open = (options = {}) => repositories.open(target(), options)
const transfers = () => host.requests.filter((request) => request.method === 'POST').length

test('a connected repository reads like any other', async () => {
  const repository = await open()
  expect(await tips(repository)).toEqual(
    new Map([
      ['main', await remote.tip('main')],
      ['work', await remote.tip('work')],
    ]),
  )
  expect(await defaultBranch(repository)).toBe('main')
  expect(await preview(repository, { base_ref: 'main', head_ref: 'work' })).toMatchObject({
    can_fast_forward: true,
  })
})

test('what the host has now is what is seen, deletions and new heads included', async () => {
  await open()
  await commit(remote, 'work', { 'c.txt': 'c' })
  await commit(remote, 'a/b', { d: 'd' }, 'D', { from: 'main' })
  expect((await tips(await open())).get('work')).toBe(await remote.tip('work'))
  await remote.git('update-ref', '-d', 'refs/heads/a/b')
  await commit(remote, 'a', { d: 'd' }, 'D', { from: 'main' })
  await remote.git('symbolic-ref', 'HEAD', 'refs/heads/work')
  const repository = await open()
  expect([...(await tips(repository)).keys()]).toEqual(['a', 'main', 'work'])
  expect(await defaultBranch(repository)).toBe('work')
})

test('a rewritten branch is followed', async () => {
  await open()
  const tip = await commit(remote, 'work', { z: 'z' }, 'Rewritten', { from: 'main' })
  expect(await resolveBranch(await open(), 'work')).toBe(tip)
})

test('without a difference nothing is transferred, and a stale view asks nobody', async () => {
  await open()
  const before = host.requests.length
  await open()
  const listing = host.requests.slice(before)
  expect(listing.filter((request) => request.path.endsWith('/git-receive-pack'))).toEqual([])
  expect(listing.length).toBeLessThanOrEqual(3)
  const known = host.requests.length
  const tip = await remote.tip('main')
  await commit(remote, 'main', { 'n.txt': 'n' })
  expect(await resolveBranch(await open({ fresh: false }), 'main')).toBe(tip)
  expect(host.requests.length).toBe(known)
})

test('many openers at once share their fetches, and none sees less than was there when it asked', async () => {
  await open()
  const before = transfers()
  const waves = []
  for (let wave = 0; wave < 5; wave += 1) {
    const tip = await commit(remote, 'work', { [`w${wave}`]: 'w' })
    const openers = Array.from({ length: 10 }, () => open())
    waves.push(...openers.map(async (opener) => expect(await seen(await opener, tip)).toBe(true)))
  }
  await Promise.all(waves)
  expect(transfers() - before).toBeLessThan(50)
})

async function seen(repository: Awaited<ReturnType<typeof open>>, sha: string): Promise<boolean> {
  const tip = await resolveBranch(repository, 'work')
  return tip !== null && isAncestor(repository, sha, tip)
}

test('a merge moves the host by compare-and-set and the mirror follows', async () => {
  const base_sha = await commit(remote, 'main', { 'c.txt': 'c\n' })
  const repository = await open()
  const head_sha = await remote.tip('work')
  const plan = await planMerge(repository, { base_sha, head_sha, message: 'M', committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const move = { branch: 'main', from_sha: base_sha, to_sha: plan.commit_sha }
  expect(await moveBranch(repository, move)).toEqual({ kind: 'moved' })
  expect(await remote.tip('main')).toBe(plan.commit_sha)
  expect(await resolveBranch(repository, 'main')).toBe(plan.commit_sha)
  expect(await moveBranch(repository, move)).toEqual({ kind: 'stale', actual_sha: plan.commit_sha })
})

test('a remote that moved meanwhile is never overwritten', async () => {
  const repository = await open()
  const from_sha = await remote.tip('main')
  const to_sha = await remote.tip('work')
  for (const happen of [
    () => commit(remote, 'main', { 'other.txt': 'o' }),
    () => commit(remote, 'main', { 'rewritten.txt': 'o' }, 'Rewritten', { orphan: true }),
  ]) {
    const actual_sha = await happen()
    expect(await moveBranch(repository, { branch: 'main', from_sha, to_sha })).toEqual({
      kind: 'stale',
      actual_sha,
    })
    expect(await remote.tip('main')).toBe(actual_sha)
  }
  await remote.git('symbolic-ref', 'HEAD', 'refs/heads/work')
  await remote.git('update-ref', '-d', 'refs/heads/main')
  const gone = await moveBranch(repository, { branch: 'main', from_sha, to_sha })
  expect(gone).toEqual({ kind: 'stale', actual_sha: null })
})

test('of two movers from one commit one wins', async () => {
  const repository = await open()
  const from_sha = await remote.tip('main')
  const write = (path: string) =>
    writeCommit(repository, {
      parent_sha: from_sha,
      changes: [{ path, content: 'x' }],
      message: path,
      committed_at,
    })
  const targets = [await write('one'), await write('two')]
  const outcomes = await Promise.all(
    targets.map((to_sha) => moveBranch(repository, { branch: 'main', from_sha, to_sha })),
  )
  expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['moved', 'stale'])
})

test('a host that refuses says why; the mirror stays where it was', async () => {
  const hook = join(remote.git_dir, 'hooks/pre-receive')
  await mkdir(dirname(hook), { recursive: true })
  await writeFile(hook, '#!/bin/sh\necho "Protected branch: ask an owner." >&2\nexit 1\n')
  await chmod(hook, 0o755)
  const repository = await open()
  const from_sha = await remote.tip('main')
  const outcome = await moveBranch(repository, { branch: 'main', from_sha, to_sha: await remote.tip('work') })
  expect(outcome).toEqual({
    kind: 'rejected',
    message: expect.stringContaining('Protected branch: ask an owner.'),
  })
  expect(await resolveBranch(repository, 'main')).toBe(from_sha)
  expect(await remote.tip('main')).toBe(from_sha)
})

test('a credential that may not push is a refusal', async () => {
  const repository = await open()
  host.answer = (request, response) => {
    if (!request.url?.includes('receive-pack')) return false
    response.writeHead(403).end('no')
    return true
  }
  const move = { branch: 'main', from_sha: await remote.tip('main'), to_sha: await remote.tip('work') }
  expect(await moveBranch(repository, move)).toMatchObject({ kind: 'rejected' })
})

test('a branch is cut on the host, once', async () => {
  const repository = await open()
  const at_sha = await remote.tip('main')
  expect(await createBranch(repository, { branch: project_id, at_sha })).toEqual({ kind: 'created' })
  expect(await remote.tip(project_id)).toBe(at_sha)
  expect(await createBranch(repository, { branch: project_id, at_sha })).toEqual({
    kind: 'exists',
    actual_sha: at_sha,
  })
  const other = await createBranch(repository, { branch: project_id, at_sha: await remote.tip('work') })
  expect(other).toEqual({ kind: 'exists', actual_sha: at_sha })
})

test('an empty host, then its first commit', async () => {
  const empty = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`) })
  const repo_url = host.url(empty.git_dir.slice(folder.length + 1))
  expect(await tips(await repositories.open(target({ repo_url })))).toEqual(new Map())
  const sha = await commit(empty, 'main', { x: 'x' })
  expect(await resolveBranch(await repositories.open(target({ repo_url })), 'main')).toBe(sha)
})

test('a project that changes its address keeps nothing of the old one', async () => {
  const old = await open()
  const secret = await remote.tip('work')
  const second = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`), files: { only: 'x' } })
  const repo_url = host.url(second.git_dir.slice(folder.length + 1))
  const repository = await repositories.open(target({ repo_url }), { fresh: false })
  expect(repository.git_dir).toBe(old.git_dir)
  expect([...(await tips(repository)).keys()]).toEqual(['main'])
  const base = await second.tip('main')
  await expect(
    diff(repository, { base, head: secret, three_dot: false, max_patch_bytes: 100 }),
  ).rejects.toThrow()
})

test.each([
  ['answers 503', 503, {}],
  ['answers 404', 404, {}],
  ['redirects elsewhere', 302, { location: 'http://127.0.0.1:1/x.git/info/refs?service=git-upload-pack' }],
])('a host that %s is unavailable', async (_, status, headers) => {
  host.answer = (_request, response) => {
    response.writeHead(status, headers).end()
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable', details: { retry_after: 5 } })
  host.answer = null
  expect(await resolveBranch(await open(), 'main')).toBe(await remote.tip('main'))
})

test('a redirect to another path of the host is not followed', async () => {
  const other = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`), files: { x: 'x' } })
  host.answer = (request, response) => {
    if (!request.url?.startsWith(`/${name}`)) return false
    const path = request.url.replace(name, other.git_dir.slice(folder.length + 1))
    response.writeHead(302, { location: `http://127.0.0.1:${host.port}${path}` }).end()
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
})

test('a wrong credential, none, and a host that is not there', async () => {
  for (const overrides of [
    { credential: { username: 'x', token: 'wrong' } },
    { credential: null },
    { repo_url: 'http://127.0.0.1:1/x.git' },
    { repo_url: 'file:///nonexistent.git' },
  ]) {
    await expect(repositories.open(target(overrides))).rejects.toMatchObject({
      code: 'git_mirror_unavailable',
    })
  }
})

test('a caller that leaves does not wait for a silent host, and leaves no process', async () => {
  const asked = new Promise<void>((resolve) => {
    host.answer = () => {
      resolve()
      return true
    }
  })
  const controller = new AbortController()
  const opening = open({ signal: controller.signal })
  await asked
  expect(await childrenNaming(name)).not.toBe('')
  controller.abort(new Error('deadline'))
  await expect(opening).rejects.toThrow('deadline')
  await expect.poll(() => childrenNaming(name)).toBe('')
  host.answer = null
  expect(await resolveBranch(await open(), 'main')).toBe(await remote.tip('main'))
})

test('a lock that a killed git left in the mirror goes away', async () => {
  const repository = await open()
  const lock = join(repository.git_dir, 'refs/heads/work.lock')
  await writeFile(lock, '')
  const hourAgo = new Date(Date.now() - 3_600_000)
  await utimes(lock, hourAgo, hourAgo)
  const tip = await commit(remote, 'work', { x: 'x' })
  expect(await resolveBranch(await open(), 'work')).toBe(tip)
})

test('the credential is on no command line and in no file', async () => {
  const basic = Buffer.from(`${credential.username}:${credential.token}`).toString('base64')
  const seenLines: string[] = []
  host.answer = (_request, response) => {
    void childrenNaming(name).then((text) => {
      seenLines.push(text)
      host.answer = null
      response.writeHead(503).end()
    })
    return true
  }
  await expect(open()).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  const repository = await open()
  await createBranch(repository, { branch: 'new', at_sha: await remote.tip('main') })
  expect(seenLines.join('\n')).toContain(name)
  const everything = [...seenLines, ...(await filesUnder(cache_root))].join('\n')
  expect(everything).not.toContain(credential.token)
  expect(everything).not.toContain(basic)
  expect(JSON.stringify(repository)).not.toContain(credential.token)
  expect(host.requests.some((request) => request.authorization === `Basic ${basic}`)).toBe(true)
  expect(host.requests.some((request) => request.path.includes(credential.token))).toBe(false)
})

test('local addresses work when allowed, but never those of the platform itself', async () => {
  const repository = await repositories.open(target({ repo_url: remote.url, credential: null }))
  expect(await resolveBranch(repository, 'main')).toBe(await remote.tip('main'))
  const other = randomUUID()
  await repositories.createManaged(other, 'main')
  for (const repo_url of [`file://${root}/${other}.git`, `file://${cache_root}/${project_id}.git`]) {
    await expect(repositories.open(target({ project_id: randomUUID(), repo_url }))).rejects.toMatchObject({
      code: 'repository_not_allowed',
    })
    await expect(repositories.check(repo_url)).rejects.toMatchObject({ code: 'repository_not_allowed' })
  }
})

async function childrenNaming(text: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args'])
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'))
    .join('\n')
}

async function filesUnder(folderPath: string): Promise<string[]> {
  const entries = await readdir(folderPath, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
}
