import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { harnessInstalls } from '@svc/db'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createSession,
  ensureHarness,
  type HarnessInstaller,
  installOwed,
  sweepHarnesses,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const dayMs = 24 * 60 * 60_000
/** A version that is pinned for no Node. */
const old = { harness: 'codex', version: '1.0.0' }

let top: string
let stores = 0
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'svc-sweep-'))
})
afterEach(() => rm(top, { recursive: true }))

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A store whose installs are folders; `interrupt` throws between a removal's two steps. */
function openStore() {
  stores += 1
  const store = `sweep-${stores}`
  const seen = { installs: 0, interrupt: false, swept: 0 }
  const folderOf = ({ harness, version }: typeof old) => join(top, `${harness}-${version}`)
  const harnesses: HarnessInstaller = {
    ...{ store, root: top, target: 'linux' },
    install: async (wish) => {
      seen.installs += 1
      await mkdir(folderOf(wish), { recursive: true })
      return { digest: 'digest', bytes: 7 }
    },
    folder: async (wish) => ((await isThere(folderOf(wish))) ? folderOf(wish) : null),
    remove: async (wish) => {
      if (seen.interrupt) throw new Error('the worker ends here')
      const away = join(top, `removed-${crypto.randomUUID()}`)
      const isMoved = await rename(folderOf(wish), away).then(
        () => true,
        () => false,
      )
      return async () => {
        if (isMoved) await rm(away, { recursive: true })
      }
    },
    sweepScratch: async () => {
      seen.swept += 1
    },
  }
  const ctx = () => ({ ...world.worker(), harnesses })
  const row = (wish = old) => harnessInstalls.find(world.db, { store, target: 'linux', ...wish })
  return { ctx, row, seen, folderOf, key: { store, target: 'linux', ...old } }
}

test('an install that no session asked for in 30 days is given up, and its files go', async () => {
  const { ctx, row, folderOf, seen } = openStore()
  await ensureHarness(ctx(), old)
  world.clock.advance(29 * dayMs)
  await sweepHarnesses(ctx())
  expect(await row()).toMatchObject({ state: 'ready' })
  world.clock.advance(2 * dayMs)
  await sweepHarnesses(ctx())
  expect(await row()).toMatchObject({ state: 'removed' })
  expect(await isThere(folderOf(old))).toBe(false)
  expect(seen.swept).toBe(2)
  expect(await ensureHarness(ctx(), old)).toBe(folderOf(old))
  expect(seen.installs).toBe(2)
})

test('the version of new sessions stays, and one that a live session names', async () => {
  const { ctx, row } = openStore()
  const newest = { harness: 'codex', version: '2.6.0' }
  await ensureHarness(ctx(), newest)
  await ensureHarness(ctx(), old)
  const made = await createSession(project.ctx, {
    ...{ project_id: project.project_id, respond_async: false, body: { harness: 'codex' } },
  })
  if (made.kind !== 'created') throw new Error(made.reason)
  const { session_id } = made.session
  const named = world.db.updateTable('session_runtimes').where('session_id', '=', session_id)
  await named.set({ version: old.version }).execute()
  world.clock.advance(31 * dayMs)
  await sweepHarnesses(ctx())
  expect(await row(newest)).toMatchObject({ state: 'ready' })
  expect(await row()).toMatchObject({ state: 'ready' })
  await named.set({ version: newest.version }).execute()
  await sweepHarnesses(ctx())
  expect(await row()).toMatchObject({ state: 'removed' })
})

test('a start that asks while the sweep decides keeps its install', async () => {
  const { ctx, row, key } = openStore()
  await ensureHarness(ctx(), old)
  world.clock.advance(31 * dayMs)
  let ask = (): void => undefined
  const asked = new Promise<void>((resolve) => (ask = resolve))
  let start: Promise<void> = Promise.resolve()
  await new Promise<void>((held) => {
    start = world.db.transaction().execute(async (tx) => {
      await harnessInstalls.want(tx, key, world.clock.now())
      held()
      await asked
    })
  })
  const sweep = sweepHarnesses(ctx())
  ask()
  await Promise.all([start, sweep])
  expect(await row()).toMatchObject({ state: 'ready' })
})

test('files of an install that an admin gave up go, also when the first sweep is cut off', async () => {
  const { ctx, row, folderOf, seen } = openStore()
  await ensureHarness(ctx(), old)
  await harnessInstalls.evict(world.db, old.harness, old.version, world.clock.now())
  seen.interrupt = true
  await expect(sweepHarnesses(ctx())).rejects.toThrow('the worker ends here')
  expect(await isThere(folderOf(old))).toBe(true)
  seen.interrupt = false
  await sweepHarnesses(ctx())
  await sweepHarnesses(ctx())
  expect(await isThere(folderOf(old))).toBe(false)
  expect(await row()).toMatchObject({ state: 'removed' })
})

test('an install whose worker died, and for which no session waits, is made', async () => {
  const { ctx, row, key } = openStore()
  const now = world.clock.now()
  await harnessInstalls.want(world.db, key, now)
  const until = new Date(now.getTime() - 1)
  await harnessInstalls.begin(world.db, key, { holder: 'dead', until, now })
  await installOwed(ctx())
  expect(await row()).toMatchObject({ state: 'ready', fence: 2 })
})

test('files go while an install that is owed takes its time', async () => {
  const { ctx, row, folderOf, key } = openStore()
  const owed = { harness: 'codex', version: '1.0.1' }
  await ensureHarness(ctx(), old)
  await harnessInstalls.evict(world.db, old.harness, old.version, world.clock.now())
  await harnessInstalls.want(world.db, { ...key, ...owed }, world.clock.now())
  let finish = (): void => undefined
  const npm = new Promise<void>((resolve) => (finish = resolve))
  const { harnesses, ...rest } = ctx()
  const install: HarnessInstaller['install'] = async (...args) => {
    await npm
    return harnesses.install(...args)
  }
  const installing = installOwed({ ...rest, harnesses: { ...harnesses, install } })
  await expect.poll(async () => (await row(owed))?.state).toBe('installing')
  await sweepHarnesses(ctx())
  expect(await isThere(folderOf(old))).toBe(false)
  expect(await row(owed)).toMatchObject({ state: 'installing' })
  finish()
  await installing
  expect(await row(owed)).toMatchObject({ state: 'ready' })
})
