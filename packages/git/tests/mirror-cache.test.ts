import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createRepositories, listFiles, preview, readFile, resolveBranch } from '../src/index.ts'
import { commit, makeRepositories, makeRepository, type TestRepository } from '../src/testing/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-mirrors-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const allow = { file: true }

let remote: TestRepository
beforeEach(async () => {
  remote = await makeRepository({
    git_dir: join(folder, `${randomUUID()}.git`),
    files: { 'a.txt': 'a\n', 'dir/big.bin': randomBytes(60_000) },
    branches: { work: { 'b.txt': 'b\n' } },
  })
})

const target = (project_id: string) => ({
  kind: 'connected' as const,
  project_id,
  repo_url: remote.url,
  credential: null,
})

const mirrorsIn = async (cache_root: string) =>
  (await readdir(cache_root)).filter((name) => name.endsWith('.git')).map((name) => name.slice(0, -4))

test('the mirror that was opened the longest ago goes first, and comes back when it is opened', async () => {
  // Two of them fit.
  const made = await makeRepositories({ allow, cache_max_bytes: 150_000, cache_keep_ms: 0 })
  const { repositories, cache_root } = made
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
  await repositories.open(target(a))
  await repositories.open(target(b))
  await repositories.open(target(a))
  await repositories.open(target(c))
  await expect.poll(async () => new Set(await mirrorsIn(cache_root))).toEqual(new Set([a, c]))
  expect(await resolveBranch(await repositories.open(target(b)), 'main')).toBe(await remote.tip('main'))
  await expect.poll(async () => new Set(await mirrorsIn(cache_root))).toEqual(new Set([b, c]))
  await made.remove()
})

test('a mirror in use stays, whatever the budget', async () => {
  const warnings: string[] = []
  const logger = { warn: (_: object, message: string) => void warnings.push(message) }
  const made = await makeRepositories({ allow, cache_max_bytes: 1_000, logger })
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) await made.repositories.open(target(id))
  await expect.poll(() => warnings.length).toBeGreaterThan(1)
  expect(new Set(await mirrorsIn(made.cache_root))).toEqual(new Set(ids))
  await made.remove()
})

test('the order outlives the process, and so does nothing that one left half done', async () => {
  const made = await makeRepositories({ allow, cache_max_bytes: 1_000_000, cache_keep_ms: 0 })
  const { root, cache_root } = made
  const [old, recent] = [randomUUID(), randomUUID()]
  for (const id of [old, recent]) await made.repositories.open(target(id))
  const hourAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(cache_root, `${old}.git/svc-origin`), hourAgo, hourAgo)
  await made.repositories.close()
  for (const left of ['removed', 'draft'].map((name) => join(cache_root, `${name}-${randomUUID()}`))) {
    await mkdir(left)
    await writeFile(join(left, 'x'), 'x')
    await utimes(left, hourAgo, hourAgo)
  }
  const identity = { name: 'svc', email: 'x@svc.invalid' }
  const options = { root, cache_root, identity, allow, cache_max_bytes: 150_000, cache_keep_ms: 0 }
  const second = await createRepositories(options)
  expect((await readdir(cache_root)).filter((name) => /^(removed|draft)/.test(name))).toEqual([])
  const next = randomUUID()
  await second.open(target(next))
  await expect.poll(async () => new Set(await mirrorsIn(cache_root))).toEqual(new Set([recent, next]))
  await second.close()
  await made.remove()
})

test('stale locks of a dead process are cleared at the start, those of a living one are not', async () => {
  const made = await makeRepositories({ allow })
  const { root, cache_root } = made
  const project_id = randomUUID()
  const { git_dir } = await made.repositories.open(target(project_id))
  await made.repositories.close()
  const hourAgo = new Date(Date.now() - 3_600_000)
  const stale = ['packed-refs.lock', 'HEAD.lock', 'config.lock', 'refs/heads/work.lock']
  for (const lock of stale) {
    await writeFile(join(git_dir, lock), '')
    await utimes(join(git_dir, lock), hourAgo, hourAgo)
  }
  await writeFile(join(git_dir, 'shallow.lock'), '')
  const identity = { name: 'svc', email: 'x@svc.invalid' }
  const second = await createRepositories({ root, cache_root, identity, allow })
  await second.open(target(project_id), { fresh: false })
  const left = (await readdir(git_dir, { recursive: true })).filter((name) => name.endsWith('.lock'))
  expect(left).toEqual(['shallow.lock'])
  await second.close()
  await made.remove()
})

test('a mirror deleted under its readers: they fail politely or succeed, and the next open works', async () => {
  const made = await makeRepositories({ allow })
  const project_id = randomUUID()
  const git_dir = join(made.cache_root, `${project_id}.git`)
  const read = async () => {
    const repository = await made.repositories.open(target(project_id))
    const verdict = await preview(repository, { base_ref: 'main', head_ref: 'work' })
    const file = await readFile(repository, { ref: 'work', path: 'b.txt' })
    return [verdict.can_fast_forward, file?.content.toString()]
  }
  for (let round = 0; round < 8; round += 1) {
    await commit(remote, 'work', { [`w${round}`]: 'w' })
    const readers = Array.from({ length: 6 }, () => read())
    const [deleted, ...ends] = await Promise.allSettled([
      rm(git_dir, { recursive: true, force: true, maxRetries: 5 }),
      ...readers,
    ])
    if (deleted?.status === 'rejected') await rm(git_dir, { recursive: true, force: true })
    for (const end of ends) {
      if (end.status === 'fulfilled') expect(end.value).toEqual([true, 'b\n'])
    }
    expect(await read()).toEqual([true, 'b\n'])
  }
  await made.remove()
})

test.each(['objects', 'refs', 'HEAD', 'objects/pack', 'config', 'packed-refs', 'svc-origin'])(
  'a mirror without its %s heals by the second open at the latest',
  async (part) => {
    const made = await makeRepositories({ allow })
    const project_id = randomUUID()
    await made.repositories.open(target(project_id))
    await rm(join(made.cache_root, `${project_id}.git`, part), { recursive: true, force: true })
    const list = async () => {
      const repository = await made.repositories.open(target(project_id))
      return (await listFiles(repository, { ref: 'work', recursive: true }))?.map((entry) => entry.path)
    }
    const first = await list().catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'git_mirror_unavailable', details: { retry_after: 1 } })
      return list()
    })
    expect(first).toEqual(['a.txt', 'b.txt', 'dir', 'dir/big.bin'])
    await made.remove()
  },
)
