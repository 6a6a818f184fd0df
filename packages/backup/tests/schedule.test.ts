import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { backups } from '@svc/db'
import { backupName } from '@svc/facts'
import { makeProject, openWorld } from '@svc/services/testing'
import { servicePlaces } from '@svc/services'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { bundleProcess } from '../../../scripts/bundle-process.ts'
import { type BackupPlan, sweepBackups } from '../src/index.ts'

const world = await openWorld()
const folder = await mkdtemp(join(tmpdir(), 'svc-schedule-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { project_id } = await makeProject(world)

const minute = 60_000
const day = 24 * 60 * minute
const cron = '0 0 3 * * *'
const began = Date.now()

function schedulers(place: string) {
  const target = pathToFileURL(place).href
  const plan: BackupPlan = {
    ...{ target, cron, keep: 2, keys: undefined, read_url: world.connection_string },
    ...{ places: servicePlaces, version: '1.0.0' },
  }
  /** A look of a scheduler of its own, so long after this test began. */
  const look = (later: number) =>
    sweepBackups({ ...world.base, locks: world.worker().locks, now: () => new Date(began + later) }, plan)
  const rows = async () => (await backups.listOf(world.db, target)).map(({ state }) => state)
  return { target, look, rows }
}

test('of two schedulers one takes what is due, the newest are kept, and what was asked for is taken at once', async () => {
  const place = join(folder, 'kept')
  const { target, look, rows } = schedulers(place)
  expect((await Promise.all([look(0), look(0)])).toSorted()).toEqual([0, 1])
  expect(await look(minute)).toBe(0)
  for (const days of [1, 2, 3]) {
    expect((await Promise.all([look(days * day), look(days * day)])).toSorted()).toEqual([0, 1])
    expect(await look(days * day + 1)).toBe(0)
  }
  expect(await rows()).toEqual(['done', 'done'])
  expect(await readdir(place)).toHaveLength(2)

  const [backup_id, started_at] = [randomUUID(), new Date(began + 3 * day + minute)]
  const name = backupName(backup_id, started_at)
  expect(await backups.ask(world.db, { backup_id, name, target, started_at })).toBe(true)
  expect(await look(3 * day + 2 * minute)).toBe(1)
  expect(await readdir(place)).toContain(name)
  expect(await rows()).toEqual(['done', 'done'])
})

test('the row of a killed scheduler fails, and the next backup removes its half folder', async () => {
  const place = join(folder, 'killed')
  const { look, rows } = schedulers(place)
  const program = await bundleProcess(new URL('stuck-sweep.ts', import.meta.url))
  const root = dirname(world.gitDir(project_id))
  const { target } = schedulers(place)
  const args = [world.connection_string, root, world.objects_dir, target, cron]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const [half = ''] = await readdir(place)
  // While it lives it is left alone.
  expect(await look(minute)).toBe(0)
  expect(await rows()).toEqual(['running'])
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  // PostgreSQL frees the lock of a killed process when it sees the end of its connection, a moment later.
  await vi.waitFor(
    async () => {
      expect(await look(minute)).toBe(0)
      expect(await rows()).toEqual(['failed'])
    },
    { timeout: 20_000 },
  )
  expect(await look(30 * minute)).toBe(1)
  expect(await rows()).toEqual(['done', 'failed'])
  expect(await readdir(place)).not.toContain(half)
})

test('a place that cannot be written fails the row and says why, and what was asked of another place is let go', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, 'x')
  const { target, look, rows } = schedulers(join(file, 'below'))
  await expect(look(0)).rejects.toThrow()
  expect(await rows()).toEqual(['failed'])
  const [failed] = await backups.listOf(world.db, target)
  expect(failed?.error).toMatch(/ENOTDIR|EEXIST|not a directory/)

  const [backup_id, started_at] = [randomUUID(), new Date(began)]
  const elsewhere = { backup_id, name: backupName(backup_id, started_at), target: 's3://gone/', started_at }
  expect(await backups.ask(world.db, elsewhere)).toBe(true)
  const other = schedulers(join(folder, 'other'))
  expect(await other.look(5 * minute)).toBe(0)
  expect(await other.look(11 * minute)).toBe(1)
  expect(await backups.listOf(world.db, 's3://gone/')).toMatchObject([
    { state: 'failed', error: 'No process takes backups to this place' },
  ])
})
