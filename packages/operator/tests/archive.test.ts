import { archiveObjects } from '@svc/db'
import { sweepEventArchive } from '@svc/services'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { checker } from './support.ts'

const world = await openWorld()
const { objects } = world.base
const check = checker(world)
const dayMs = 24 * 3_600_000
const sweep = () =>
  sweepEventArchive(world.worker(), { hot_ms: 30 * dayMs, archive_ms: 0, window_ms: 7 * dayMs })
const bytes = Buffer.from('a month')

test('an object that rows name and the store does not have whole', async () => {
  const object_key = 'events/named'
  await archiveObjects.adopt(world.db, { object_key, bytes: bytes.length, now: world.clock.now() })
  // Nobody misses what nothing names.
  expect(await check('archive_missing')).toEqual([])
  await archiveObjects.markNamed(world.db, [object_key])
  const missing = { severity: 'error', subject: `objects/${object_key}`, repairable: false }
  expect(await check('archive_missing', { repair: true })).toMatchObject([
    { ...missing, message: expect.stringContaining('is not there') },
  ])
  await objects.put(object_key, bytes.subarray(1))
  expect(await check('archive_missing')).toMatchObject([
    { ...missing, message: expect.stringContaining('has 6 bytes and not 7') },
  ])
  await objects.put(object_key, bytes)
  expect(await check('archive_missing')).toEqual([])
})

test('an object that no row knows goes after the window of backups, once that was asked for', async () => {
  const keys = ['events/orphan', 'branches/project/orphan.bundle']
  for (const key of [...keys, 'elsewhere/orphan']) await objects.put(key, bytes)
  const there = async () =>
    (await Promise.all([...keys, 'elsewhere/orphan'].map((key) => objects.head(key)))).map(
      (info) => info !== null,
    )
  const orphans = keys.map((key) => ({ severity: 'warning', subject: `objects/${key}`, repairable: true }))
  expect(await check('archive_orphan')).toMatchObject(orphans)
  world.clock.advance(30 * dayMs)
  await sweep()
  expect(await there()).toEqual([true, true, true])
  expect(await check('archive_orphan', { repair: true })).toMatchObject(
    orphans.map((orphan) => ({ ...orphan, repaired: true })),
  )
  expect(await check('archive_orphan')).toEqual([])
  world.clock.advance(6 * dayMs)
  await sweep()
  expect(await there()).toEqual([true, true, true])
  world.clock.advance(2 * dayMs)
  await sweep()
  expect(await there()).toEqual([false, false, true])
})
