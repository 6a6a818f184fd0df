import { harnessInstalls } from '@svc/db'
import { expect, test } from 'vitest'
import { ensureHarness } from '../../src/harnesses/ensure-harness.ts'
import { HarnessInstallError, type HarnessInstaller } from '../../src/harnesses/installer.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const wish = { harness: 'codex', version: '2.6.0' }
let stores = 0

/** A store in which an install is what `work` says. */
function opened(work: () => Promise<void>) {
  stores += 1
  const store = `store-${stores}`
  const made = new Set<string>()
  const seen = { installs: 0, made }
  const harnesses: HarnessInstaller = {
    ...{ store, root: '/store', target: 'linux' },
    install: async () => {
      seen.installs += 1
      await work()
      made.add('digest')
      return { digest: 'digest', bytes: 7 }
    },
    folder: async (_wish, digest) => (made.has(digest) ? `/store/${digest}` : null),
    remove: async () => async () => undefined,
    sweepScratch: async () => undefined,
  }
  const key = { store, harness: wish.harness, version: wish.version, target: 'linux' }
  const start = (now = () => new Date()) => ensureHarness({ ...world.worker(), now, harnesses }, wish)
  return { seen, key, start, row: () => harnessInstalls.find(world.db, key) }
}

test('two that need it at once wait for one install, and a third finds it', async () => {
  const { seen, start, row } = opened(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(await Promise.all([start(), start()])).toEqual(['/store/digest', '/store/digest'])
  expect(await start()).toBe('/store/digest')
  expect(seen.installs).toBe(1)
  expect(await row()).toMatchObject({ state: 'ready', bytes: 7, digest: 'digest', holder: null })
})

test('an install whose worker died is taken over, and the dead one writes nothing more', async () => {
  const { key, start, row, seen } = opened(async () => undefined)
  const now = new Date()
  await harnessInstalls.want(world.db, key, now)
  const until = new Date(now.getTime() - 1)
  const fence = await harnessInstalls.begin(world.db, key, { holder: 'dead', until, now })
  expect(await start()).toBe('/store/digest')
  expect(seen.installs).toBe(1)
  const late = { fence: fence ?? 0, digest: 'other', bytes: 1, now }
  expect(await harnessInstalls.done(world.db, key, late)).toBe(false)
  expect(await row()).toMatchObject({ state: 'ready', digest: 'digest', fence: 2 })
})

test('a failure that may pass is tried again when its time has come, a final one is not', async () => {
  let failures = 1
  const passing = opened(async () => {
    failures -= 1
    if (failures === 0) throw new HarnessInstallError('the registry is away', false)
  })
  let ahead = 0
  // Each look at the clock is a minute later, so that no pause is waited for.
  const now = () => new Date(Date.now() + (ahead += 60_000))
  expect(await passing.start(now)).toBe('/store/digest')
  expect(passing.seen.installs).toBe(2)
  const final = opened(async () => {
    throw new HarnessInstallError('the integrity of small-agent does not fit', true)
  })
  await expect(final.start()).rejects.toThrow('the integrity of small-agent does not fit')
  await expect(final.start()).rejects.toThrow('the integrity of small-agent does not fit')
  expect(final.seen.installs).toBe(2)
})

test('an install whose files are gone is made anew; one that was given up as well', async () => {
  const { seen, start } = opened(async () => undefined)
  await start()
  seen.made.clear()
  expect(await start()).toBe('/store/digest')
  await harnessInstalls.evict(world.db, wish.harness, wish.version, new Date())
  expect(await start()).toBe('/store/digest')
  expect(seen.installs).toBe(3)
})
