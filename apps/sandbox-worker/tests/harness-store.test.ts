import { access, cp, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { smallHarness, type SmallHarnessOptions } from '@svc/sandbox/testing'
import { ensureHarness, installOwed, sweepHarnesses } from '@svc/services'
import { openWorld } from '@svc/services/testing'
import { afterEach, expect, test } from 'vitest'
import { openHarnessInstaller } from '../src/harness-installer.ts'

const world = await openWorld()
const wish = { harness: 'small', version: '1.0.0' }

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end[Symbol.asyncDispose]()
})

/** A machine whose worker installs a small harness by its lock file; each call of `worker` is a process of its own. */
async function openMachine(options: SmallHarnessOptions) {
  const small = await smallHarness(options)
  ends.push(small)
  const locks = join(small.top, 'locks')
  await mkdir(join(locks, wish.harness), { recursive: true })
  await cp(small.options.lock_folder, join(locks, wish.harness, wish.version), { recursive: true })
  const sandboxes = join(small.top, 'sandboxes')
  const worker = () => ({
    ...world.worker(),
    harnesses: openHarnessInstaller({ sandboxes, locks, env: small.options.env }),
  })
  const { store } = worker().harnesses
  const rows = () => world.db.selectFrom('harness_installs').where('store', '=', store)
  return {
    worker,
    registry: small.registry,
    scratch: join(sandboxes, '.harnesses', '.scratch'),
    row: () => rows().selectAll().executeTakeFirstOrThrow(),
    set: (values: object) =>
      world.db.updateTable('harness_installs').set(values).where('store', '=', store).execute(),
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

test('two workers of a machine make one install, and both give its folder', async () => {
  const { worker, registry, row } = await openMachine({ licence: 'MIT' })
  const [one, other] = await Promise.all([ensureHarness(worker(), wish), ensureHarness(worker(), wish)])
  expect(other).toBe(one)
  expect(registry.fetched.toSorted()).toEqual(['small-agent', 'small-part'])
  expect(await row()).toMatchObject({ state: 'ready', fence: 1 })
})

test('a worker that was killed after the rename leaves a folder that the next one makes ready without npm', async () => {
  const { worker, registry, row, set } = await openMachine({ licence: 'MIT' })
  const folder = await ensureHarness(worker(), wish)
  const holder_until = new Date(world.clock.now().getTime() - 1)
  await set({ state: 'installing', holder: 'dead', holder_until, digest: null, bytes: null })
  await installOwed(worker())
  expect(await row()).toMatchObject({ state: 'ready', fence: 2 })
  expect(await ensureHarness(worker(), wish)).toBe(folder)
  expect(registry.fetched).toHaveLength(2)
})

test('the files of an install that was given up go, and those that a kill left in scratch', async () => {
  const { worker, registry, row, set, scratch } = await openMachine({ licence: 'MIT' })
  const folder = await ensureHarness(worker(), wish)
  await set({ state: 'removed' })
  await mkdir(join(scratch, 'small-1.0.0-x', 'tree'), { recursive: true })
  const longAgo = new Date(world.clock.now().getTime() - 60 * 60_000)
  await utimes(join(scratch, 'small-1.0.0-x'), longAgo, longAgo)
  await sweepHarnesses(worker())
  expect(await isThere(folder)).toBe(false)
  expect(await readdir(dirname(folder))).toEqual([])
  expect(await readdir(scratch)).toEqual([])
  expect(await row()).toMatchObject({ state: 'removed' })
  expect(await ensureHarness(worker(), wish)).toBe(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
  expect(registry.fetched).toHaveLength(4)
})

test('an integrity that does not fit is final, and names the package', async () => {
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
  const { worker, row } = await openMachine({ licence: 'MIT', integrity })
  await expect(ensureHarness(worker(), wish)).rejects.toThrow('small-part@2.0.0')
  expect(await row()).toMatchObject({ state: 'failed', attempts: 1, next_attempt_at: null })
})

test('a proprietary text that the platform does not know is final: an acceptance was of another', async () => {
  const { worker, row } = await openMachine({})
  await expect(ensureHarness(worker(), wish)).rejects.toThrow('small-part 2.0.0 has a proprietary licence')
  expect(await row()).toMatchObject({ state: 'failed', attempts: 1, next_attempt_at: null })
})
