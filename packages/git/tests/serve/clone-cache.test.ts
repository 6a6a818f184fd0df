import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Repository, serveGit, SlowClient } from '../../src/index.ts'
import { commit, countGit, testGit } from '../../src/testing/index.ts'
import { pktLine } from '../../src/serve/pkt-lines.ts'
import { startManagedServer } from './managed-server.ts'
import { storage } from '../storage.ts'

const budget = 6_000_000
const counted = await countGit()
const { managed, repositories, cache_root } = await storage({
  environment: counted.environment,
  clones_max_bytes: budget,
})
const cache = join(cache_root, 'clones')
const ends: (() => Promise<void>)[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-clones-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  for (const end of ends) await end()
  await counted.remove()
})

/** A managed repository of some 300 kB behind a server, and its client. */
async function served() {
  const repository = await managed()
  const first = await commit(repository, 'main', { 'a.bin': randomBytes(300_000), 'dir/b': 'b' })
  const server = await startManagedServer(repositories, repository.project_id)
  ends.push(() => server.close())
  const clone = async (...flags: string[]) => {
    const path = join(folder, randomUUID())
    await testGit(['clone', '--quiet', '--bare', ...flags, server.url, path])
    await testGit(['-C', path, 'fsck', '--strict'])
    return testGit(['-C', path, 'rev-parse', 'main'])
  }
  await clone('--depth=1', '--single-branch')
  await counted.take()
  return { repository, first, clone }
}

/** The request of a clone for this commit. */
const wish = (sha: string) =>
  Buffer.from(
    `${['command=fetch', 'object-format=sha1'].map(pktLine).join('')}0001${['ofs-delta', `want ${sha}`, 'done'].map(pktLine).join('')}0000`,
  )

const asked = { service: 'git-upload-pack', advertise: false, git_protocol: 'version=2' } as const

async function answer(repository: Repository, body: Buffer): Promise<Buffer> {
  const output = new PassThrough()
  const [bytes] = await Promise.all([
    output.toArray(),
    serveGit(repository, { ...asked, input: Readable.from([body]), output }).then(() => output.end()),
  ])
  return Buffer.concat(bytes)
}

const listing = ['upload-pack']
const listingAndPack = ['upload-pack', 'upload-pack']
/** For a commit that no clone wanted before, the refs are looked at. */
const first_time = 'for-each-ref'

test('the same clone is packed once; a branch that moved is packed anew', async () => {
  const { clone, first, repository } = await served()
  expect(await clone()).toBe(first)
  expect(await counted.take()).toEqual(listingAndPack)
  expect(await clone()).toBe(first)
  expect(await counted.take()).toEqual(listing)
  const second = await commit(repository, 'main', { c: 'c' })
  expect(await clone()).toBe(second)
  expect(await counted.take()).toEqual([first_time, ...listingAndPack])
  expect(await clone('--filter=blob:none')).toBe(second)
  expect(await counted.take()).toEqual(listingAndPack)
})

test('what is kept is what git says, byte for byte', async () => {
  const { repository, first } = await served()
  const made = await answer(repository, wish(first))
  expect(made.length).toBeGreaterThan(300_000)
  expect((await answer(repository, wish(first))).equals(made)).toBe(true)
  expect(await counted.take()).toEqual(['upload-pack'])
})

test('an answer that breaks off is not kept', async () => {
  const { repository, first } = await served()
  const output = new PassThrough()
  output.once('data', () => output.destroy())
  const broken = serveGit(repository, { ...asked, input: Readable.from([wish(first)]), output })
  await expect(broken).rejects.toThrow('the client left')
  await counted.take()
  expect((await answer(repository, wish(first))).length).toBeGreaterThan(300_000)
  expect(await counted.take()).toEqual(['upload-pack'])
})

test('a commit that is not there is refused each time', async () => {
  const { repository } = await served()
  for (let time = 0; time < 2; time += 1) {
    expect((await answer(repository, wish('1'.repeat(40)))).toString()).toContain('not our ref')
    expect(await counted.take()).not.toContain('rev-list')
  }
})

test('the folder may be deleted at any time', async () => {
  const { clone, first } = await served()
  await clone()
  await rm(cache, { recursive: true })
  expect(await clone()).toBe(first)
  await mkdir(cache)
  expect(await clone()).toBe(first)
  await counted.take()
  expect(await clone()).toBe(first)
  expect(await counted.take()).toEqual(listing)
})

test('all answers keep within their budget, and one within a quarter of it', async () => {
  const { repository } = await served()
  const large = await commit(repository, 'large', { 'l.bin': randomBytes(budget / 3) })
  for (let time = 0; time < 2; time += 1) {
    await answer(repository, wish(large))
    expect(await counted.take()).toEqual(time === 0 ? [first_time, 'upload-pack'] : ['upload-pack'])
  }
  for (let index = 0; index < 8; index += 1) {
    const sha = await commit(repository, `b${index}`, { x: randomBytes(budget / 5) }, 'x', { orphan: true })
    await answer(repository, wish(sha))
  }
  const total = async () => {
    const sizes = (await readdir(cache)).map(async (name) => (await stat(join(cache, name))).size)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
  await expect.poll(total).toBeLessThanOrEqual(budget)
  expect(await total()).toBeGreaterThan(budget / 2)
})

test('a project that is removed takes its answers along', async () => {
  const { repository, first } = await served()
  const before = await readdir(cache)
  await answer(repository, wish(first))
  await expect.poll(() => readdir(cache)).toHaveLength(before.length + 1)
  await repositories.removeManaged(repository.project_id)
  await expect.poll(async () => (await readdir(cache)).length).toBeLessThanOrEqual(before.length)
})

const impatient = { window_ms: 50, min_bytes: 1_000 }

test('a client that does not finish its request is dropped, or ends with its signal', async () => {
  const { repository } = await served()
  const exchange = { ...asked, output: new PassThrough() }
  const slow = serveGit(repository, { ...exchange, input: new PassThrough(), pace: impatient })
  await expect(slow).rejects.toThrow(SlowClient)
  const left = new AbortController()
  const waiting = serveGit({ ...repository, signal: left.signal }, { ...exchange, input: new PassThrough() })
  left.abort(new Error('deadline'))
  await expect(waiting).rejects.toThrow('deadline')
  expect(await counted.take()).toEqual([])
})

test('a client that does not read what is kept is cut', async () => {
  const { repository, first } = await served()
  await answer(repository, wish(first))
  const output = new PassThrough()
  const input = Readable.from([wish(first)])
  await expect(serveGit(repository, { ...asked, input, output, pace: impatient })).rejects.toThrow(SlowClient)
  expect(output.destroyed).toBe(true)
})
