import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projects, provisionKeys } from '@svc/db'
import { capabilities } from '@svc/facts'
import { makeRepository, startGitServer } from '@svc/git/testing'
import { afterAll, describe, expect, test } from 'vitest'
import {
  archiveProject,
  connectProject,
  getCloneCredential,
  getProject,
  listBranches,
  listCommits,
  listFiles,
  listProjects,
  provisionProject,
  readFile,
  updateProject,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const owner = await addOwner(world)
const ctx = world.as(owner.principal)

describe('provision', () => {
  test('makes a seeded repository and a push token', async () => {
    const { push_token, ...project } = await provisionProject(ctx, { name: 'Ünï Shop', seed_starter: true })
    const { project_id } = project
    expect(project).toMatchObject({
      name: 'Ünï Shop',
      slug: 'uni-shop',
      default_branch: 'main',
      status: 'active',
      project_role: 'manager',
      repo_url: `https://svc.example.test/v1/git/${project_id}.git`,
      git_origin_url: `https://svc.example.test/v1/git/${project_id}.git`,
    })
    expect(push_token).toMatch(/^svc_pat_/)
    const { entries } = await listFiles(ctx, { project_id, path: '' })
    expect(entries.map((entry) => entry.path)).toContain('svc.yaml')
    expect((await provisionProject(ctx, { name: 'Ünï Shop', seed_starter: false })).slug).toBe('uni-shop-2')
    expect(new Set((await listProjects(ctx)).map((each) => each.slug))).toEqual(
      new Set(['uni-shop', 'uni-shop-2']),
    )
  })

  test('many of one name at once have slugs of their own', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => provisionProject(ctx, { name: 'Same', seed_starter: false })),
    )
    expect(new Set(made.map((each) => each.slug)).size).toBe(6)
  })

  test('a key that was used answers with the same project, and no token', async () => {
    const input = { name: 'Once', idempotency_key: 'once:1', seed_starter: true }
    const first = await provisionProject(ctx, input)
    const again = await provisionProject(ctx, { ...input, name: 'Other name' })
    expect(again).toEqual({ ...first, push_token: null })
    const elsewhere = await provisionProject(world.as((await addOwner(world)).principal), input)
    expect(elsewhere.project_id).not.toBe(first.project_id)
    await archiveProject(ctx, { project_id: first.project_id })
    await expect(provisionProject(ctx, input)).rejects.toMatchObject({ code: 'project_archived' })
  })

  test('a key in flight conflicts, and is free again when its call has failed or died', async () => {
    const key = { account_id: owner.account_id, idempotency_key: 'flight:1' }
    const now = world.clock.now()
    expect((await provisionKeys.claim(world.db, key, now, new Date(0))).kind).toBe('claimed')
    const input = { name: 'Flight', idempotency_key: key.idempotency_key, seed_starter: false }
    await expect(provisionProject(ctx, input)).rejects.toMatchObject({
      code: 'provision_in_flight',
      details: { retry_after: 1 },
    })
    world.clock.advance(61_000)
    expect((await provisionProject(ctx, input)).push_token).not.toBeNull()

    const failing = world.as(owner.principal, { newId: () => 'not a uuid/../' })
    const other = { ...input, idempotency_key: 'flight:2' }
    await expect(provisionProject(failing, other)).rejects.toThrow()
    expect((await provisionProject(ctx, other)).name).toBe('Flight')
  })

  test('many with one key at once make one project', async () => {
    const input = { name: 'Burst', idempotency_key: 'burst', seed_starter: true }
    const ends = await Promise.all(Array.from({ length: 6 }, () => endOf(provisionProject(ctx, input))))
    expect(ends.filter((end) => end === 'provision_in_flight').length).toBe(5)
    expect((await listProjects(ctx)).filter((each) => each.name === 'Burst')).toHaveLength(1)
  })
})

describe('connect', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
  const credential = { username: 'x-access-token', token: 'host-token-1234567890' }
  const host = await startGitServer({ root: folder, credential })
  afterAll(async () => {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  })
  await makeRepository({
    git_dir: join(folder, 'a.git'),
    default_branch: 'trunk',
    files: { 'a.txt': 'a\n' },
    branches: { work: { 'b.txt': 'b\n' } },
  })
  await makeRepository({ git_dir: join(folder, 'empty.git') })
  const { token } = credential

  test('finds the default branch and keeps the credential to itself', async () => {
    const project = await connectProject(ctx, {
      name: 'Connected',
      repo_url: host.url('a.git'),
      credential: { token },
    })
    expect(project).toMatchObject({
      default_branch: 'trunk',
      repo_url: host.url('a.git'),
      git_origin_url: null,
    })
    const { project_id } = project
    expect((await listBranches(ctx, { project_id })).branches).toMatchObject([
      { name: 'trunk', is_default: true },
      { name: 'work', is_default: false },
    ])
    const row = await projects.find(world.db, project_id)
    expect(row?.sealed_credential).toMatch(/./)
    expect(JSON.stringify([row, project])).not.toContain(token)
    const session = await runningSession(world, { ...(await makeProject(world, owner)), project_id })
    expect(await getCloneCredential(await session.daemon(), { project_id })).toEqual({
      repo_url: host.url('a.git'),
      auth: { ...credential, type: 'basic' },
      source: 'connected',
      expires_at: null,
    })
  })

  test('takes another branch when it is there', async () => {
    const input = { name: 'Other', repo_url: host.url('a.git'), credential: { token } }
    expect((await connectProject(ctx, { ...input, default_branch: 'work' })).default_branch).toBe('work')
    await expect(connectProject(ctx, { ...input, default_branch: 'gone' })).rejects.toMatchObject({
      code: 'REF_NOT_FOUND',
    })
    await expect(connectProject(ctx, { ...input, default_branch: '-x' })).rejects.toMatchObject({
      code: 'REF_NOT_FOUND',
    })
  })

  test('an empty repository has a default branch to come', async () => {
    const project = await connectProject(ctx, {
      name: 'E',
      repo_url: host.url('empty.git'),
      credential: { token },
    })
    expect(project.default_branch).toBe('main')
    expect(await listCommits(ctx, { project_id: project.project_id, limit: 5 })).toEqual({ commits: [] })
    expect((await listFiles(ctx, { project_id: project.project_id, path: '' })).entries).toEqual([])
  })

  test.each([
    ['not an address', 'repository_not_allowed'],
    ['ftp://host.example.test/a.git', 'repository_not_allowed'],
    ['https://user:password@host.example.test/a.git', 'repository_not_allowed'],
    ['https://token@host.example.test/a.git', 'repository_not_allowed'],
    ['http://127.0.0.1:1/a.git', 'git_mirror_unavailable'],
  ])('%s is %s', async (repo_url, code) => {
    const before = await listProjects(ctx)
    const refused = await connectProject(ctx, { name: 'X', repo_url }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code })
    expect(String(refused)).not.toContain('password')
    expect(await listProjects(ctx)).toEqual(before)
  })

  test.each([
    ['a wrong credential', 'a.git', { token: 'wrong' }, 'credential_refused'],
    ['none', 'a.git', undefined, 'credential_refused'],
    ['a repository that is not there', 'gone.git', { token }, 'repository_not_found'],
  ])('%s is said at once', async (_, path, given, reason) => {
    await expect(
      connectProject(ctx, { name: 'X', repo_url: host.url(path), credential: given }),
    ).rejects.toMatchObject({ code: 'repository_not_connected', details: { reason } })
  })
})

test('a project is renamed and described', async () => {
  const { project_id } = await makeProject(world, owner)
  const edited = await updateProject(ctx, { project_id, name: 'New name', metadata: { nul: '\0', n: 1 } })
  expect(edited).toMatchObject({
    name: 'New name',
    metadata: { nul: '\ufffd', n: 1 },
    project_role: 'manager',
  })
  expect(await getProject(ctx, { project_id })).toEqual({ ...edited, capabilities: [...capabilities] })
})

test('files and commits are read at a branch', async () => {
  const project = await makeProject(world, owner)
  const { project_id } = project
  const sha = await project.commit(
    'work',
    { 'dir/ünï.txt': 'text ✓\n', 'raw.bin': new Uint8Array([0, 255]) },
    'Work',
    { from: 'main' },
  )
  expect(await readFile(ctx, { project_id, ref: 'work', path: 'dir/ünï.txt' })).toMatchObject({
    encoding: 'utf-8',
    content: 'text ✓\n',
    size: 9,
  })
  expect(await readFile(ctx, { project_id, ref: 'work', path: 'raw.bin' })).toMatchObject({
    encoding: 'base64',
    content: 'AP8=',
  })
  const { commits, next_cursor } = await listCommits(ctx, { project_id, ref: 'work', limit: 1 })
  expect(commits).toMatchObject([{ sha, message: expect.stringContaining('Work') }])
  const rest = await listCommits(ctx, { project_id, ref: 'work', limit: 5, cursor: next_cursor })
  expect(rest.commits).toHaveLength(1)
  expect(rest.next_cursor).toBeUndefined()
  for (const input of [
    { path: 'nothing.txt' },
    { path: 'nothing.txt', ref: 'nowhere' },
    { path: 'dir', ref: 'work' },
  ]) {
    await expect(readFile(ctx, { project_id, ...input })).rejects.toMatchObject({ code: 'not_found' })
  }
})
