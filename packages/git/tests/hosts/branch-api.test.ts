import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBranch, type GitHost, planMerge, resolveBranch } from '../../src/index.ts'
import { commit, makeRepositories, makeRepository, type TestRepository } from '../../src/testing/index.ts'
import { storage } from '../storage.ts'
import { giteaApi, githubApi, gitlabApi } from './apis.ts'
import { type HostApi, type HostStandIn, startHost } from './stand-in.ts'

const credential = { username: 'x-access-token', token: 'very-secret-token-1234567890' }
const { repositories, cache_root } = await storage()
const root = await mkdtemp(join(tmpdir(), 'svc-hosts-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const hosts: readonly (readonly [GitHost, HostApi])[] = [
  ['github', githubApi(credential.token)],
  ['gitlab', gitlabApi(credential.token)],
  ['gitea', giteaApi(credential.token)],
]

async function repositoryOn(server: HostStandIn, host: GitHost) {
  const name = `owner/${randomUUID()}`
  const remote = await makeRepository({
    git_dir: join(root, `${name}.git`),
    files: { 'a.txt': 'a\n' },
    branches: { work: { 'b.txt': 'b\n' } },
  })
  const target = {
    kind: 'connected' as const,
    project_id: randomUUID(),
    repo_url: server.url(`${name}.git`),
    credential,
    host,
  }
  return { remote, target, open: () => repositories.open(target) }
}

describe.each(hosts)('%s', (kind, api) => {
  let server: HostStandIn
  let remote: TestRepository
  let made: Awaited<ReturnType<typeof repositoryOn>>
  beforeAll(async () => {
    server = await startHost(api, root, credential)
    made = await repositoryOn(server, kind)
    remote = made.remote
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.api.length = 0
  })
  const pushes = () => server.requests.filter((request) => request.path.endsWith('/git-receive-pack')).length

  test('a branch is cut by the API, nothing is pushed, and the mirror knows it at once', async () => {
    const repository = await made.open()
    const before = pushes()
    for (const branch of [randomUUID(), 'feature/ünï%41#', 'a+b']) {
      const at_sha = await remote.tip('work')
      expect(await createBranch(repository, { branch, at_sha })).toEqual({ kind: 'created' })
      expect(await remote.tip(branch)).toBe(at_sha)
      expect(await resolveBranch(repository, branch)).toBe(at_sha)
    }
    expect(pushes()).toBe(before)
    expect(server.api.every((call) => call.authorization === api.authorization)).toBe(true)
  })

  test('a branch that is there already is told with its tip', async () => {
    const repository = await made.open()
    const at_sha = await remote.tip('main')
    for (const branch of ['work', 'feature/x%41#y']) {
      await commit(remote, branch, { [branch]: 'x' }, 'X', { from: 'work' })
      const actual_sha = await remote.tip(branch)
      expect(await createBranch(repository, { branch, at_sha })).toEqual({ kind: 'exists', actual_sha })
      expect(await remote.tip(branch)).toBe(actual_sha)
    }
  })

  test('of many who cut one branch exactly one does', async () => {
    const repository = await made.open()
    const at_sha = await remote.tip('main')
    const cuts = Array.from({ length: 6 }, () => createBranch(repository, { branch: 'one', at_sha }))
    const outcomes = await Promise.all(cuts)
    expect(outcomes.filter((outcome) => outcome.kind === 'created')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'exists')).toHaveLength(5)
  })

  test('a commit that only the mirror has is pushed by git', async () => {
    const base_sha = await commit(remote, 'main', { 'c.txt': 'c\n' })
    const repository = await made.open()
    const request = { base_sha, head_sha: await remote.tip('work'), message: 'M', committed_at: new Date(0) }
    const plan = await planMerge(repository, request)
    if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
    expect(await createBranch(repository, { branch: 'merged', at_sha: plan.commit_sha })).toEqual({
      kind: 'created',
    })
    expect(await remote.tip('merged')).toBe(plan.commit_sha)
  })

  test('a name that stands in the way of another is a rejection', async () => {
    const repository = await made.open()
    server.refuse = (response) => answer(response, 409, {})
    const outcome = await createBranch(repository, { branch: 'work/below', at_sha: await remote.tip('main') })
    expect(outcome.kind).toBe('rejected')
  })

  test.each([
    ['401 of a token that may only push', 401, {}],
    ['403 of a token without the scope', 403, {}],
    ['404 of an API that is elsewhere', 404, {}],
    ['409', 409, {}],
    ['422', 422, {}],
    ['a redirect, which nobody follows', 307, { location: 'http://127.0.0.1:1/elsewhere' }],
  ])('after %s git decides', async (_, status, headers) => {
    const repository = await made.open()
    const at_sha = await remote.tip('main')
    const before = pushes()
    server.refuse = (response) => answer(response, status, headers)
    const branch = randomUUID()
    expect(await createBranch(repository, { branch, at_sha })).toEqual({ kind: 'created' })
    expect(pushes()).toBe(before + 1)
    expect(await remote.tip(branch)).toBe(at_sha)
  })

  test('an answer that never comes, or is no JSON, or is too long: git decides', async () => {
    const repository = await made.open()
    const at_sha = await remote.tip('main')
    const answers: readonly ((response: ServerResponse) => void)[] = [
      (response) => void response.destroy(),
      (response) => void response.writeHead(403, { 'content-type': 'text/html' }).end('<html>'),
      (response) => void response.writeHead(404).end('x'.repeat(2_000_000)),
    ]
    for (const [index, refuse] of answers.entries()) {
      server.refuse = refuse
      const outcome = await createBranch(repository, { branch: `by-git-${index}`, at_sha })
      expect(outcome).toEqual({ kind: 'created' })
    }
  })

  test.each([
    ['429 with seconds', 429, { 'retry-after': '17' }, 17],
    ['429 without', 429, {}, 5],
    ['403 of a spent limit', 403, { 'x-ratelimit-remaining': '0', 'retry-after': '30' }, 30],
    ['429 for a day', 429, { 'retry-after': '86400' }, 3_600],
    ['500', 500, {}, 5],
    ['503 with seconds', 503, { 'retry-after': '9' }, 9],
  ])('%s is a host to come back to', async (_, status, headers, retry_after) => {
    const repository = await made.open()
    const at_sha = await remote.tip('main')
    const before = pushes()
    const branch = randomUUID()
    server.refuse = (response) => answer(response, status, headers)
    await expect(createBranch(repository, { branch, at_sha })).rejects.toMatchObject({
      code: 'git_mirror_unavailable',
      details: { retry_after },
    })
    expect(pushes()).toBe(before)
    expect(await createBranch(repository, { branch, at_sha })).toEqual({ kind: 'created' })
  })

  test('a caller that leaves ends the request', async () => {
    const controller = new AbortController()
    const repository = await repositories.open(made.target, { signal: controller.signal })
    server.refuse = () => controller.abort(new Error('deadline'))
    const cut = createBranch(repository, { branch: 'left', at_sha: await remote.tip('main') })
    await expect(cut).rejects.toThrow('deadline')
  })

  test('the credential is in a header and nowhere else', async () => {
    const repository = await made.open()
    await createBranch(repository, { branch: 'quiet', at_sha: await remote.tip('main') })
    expect(server.requests.some((request) => request.path.includes(credential.token))).toBe(false)
    expect(JSON.stringify(repository)).not.toContain(credential.token)
    expect((await filesUnder(cache_root)).join('\n')).not.toContain(credential.token)
  })

  test('without a credential, or as a generic host, the API is not asked', async () => {
    const repository = await repositories.open({ ...made.target, host: 'generic' })
    await createBranch(repository, { branch: 'plain', at_sha: await remote.tip('main') })
    expect(server.api).toEqual([])
  })
})

test('a host that cut elsewhere is put right', async () => {
  const server = await startHost(giteaApi(credential.token, { old: true }), root, credential)
  const { remote, open } = await repositoryOn(server, 'gitea')
  const at_sha = await remote.tip('work')
  expect(await createBranch(await open(), { branch: 'new', at_sha })).toEqual({ kind: 'created' })
  expect(await remote.tip('new')).toBe(at_sha)
  await server.close()
})

test('the API is asked at the addresses that were checked, and not at all when one is private', async () => {
  let answers = ['127.0.0.1']
  const { repositories: strict, remove } = await makeRepositories({
    allow: { http: true, private_addresses: ['127.0.0.0/8'] },
    lookup: () => Promise.resolve(answers),
  })
  const server = await startHost(githubApi(credential.token), root, credential)
  const { remote, target } = await repositoryOn(server, 'github')
  // The name exists nowhere: reaching the host shows that the connection goes to the checked address.
  const repo_url = target.repo_url.replace('127.0.0.1', 'github.example')
  const repository = await strict.open({ ...target, repo_url, host: undefined })
  const at_sha = await remote.tip('main')
  expect(await createBranch(repository, { branch: 'pinned', at_sha })).toEqual({ kind: 'created' })
  expect(server.api).toHaveLength(1)
  answers = ['127.0.0.1', '10.0.0.1']
  await expect(createBranch(repository, { branch: 'rebound', at_sha })).rejects.toMatchObject({
    code: 'repository_not_allowed',
  })
  expect(server.api).toHaveLength(1)
  await server.close()
  await remove()
})

function answer(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"message":"No"}')
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
}
