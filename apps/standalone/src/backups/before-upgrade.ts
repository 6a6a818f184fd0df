import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sealedPlaces } from '@svc/api'
import { openPlace, readManifest, takeBackup } from '@svc/backup'
import type { Logger, Metrics } from '@svc/boot'
import { createDatabase, type Db, readSchema } from '@svc/db'
import { backupName } from '@svc/facts'
import { openStorage, type PlatformEnv } from '@svc/platform'
import { build } from '../build.ts'
import { messageOf, StartError } from '../start-error.ts'

/** Upgrades that one can go back. */
const kept = 2
const folderPattern = /^before-(\d+)$/

interface Upgrade {
  readonly data_dir: string
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Writes a backup to `backups/before-<level>` of the data directory where migrations are about to run. The first one for
 * that level stays beside the newest: an upgrade that fails again and again never takes its place.
 */
export async function backupBeforeUpgrade(
  env: PlatformEnv,
  database_url: string,
  { data_dir, log, metrics }: Upgrade,
): Promise<void> {
  const db = createDatabase(database_url, { max: 2 })
  try {
    const { level, newest, pending } = await readSchema(db)
    if (level === 0 || !pending.some(({ phase }) => phase === 'expand')) return
    const folder = join(data_dir, 'backups', `before-${newest}`)
    try {
      const name = await take(env, db, database_url, folder, { data_dir, log, metrics })
      const words = `The schema goes from ${level} to ${newest}; a backup was taken before`
      log.warn({ folder, backup: name }, words)
      for (const between of (await finishedIn(folder)).slice(1, -1))
        await rm(join(folder, between), { recursive: true, force: true })
      await removeOlder(join(data_dir, 'backups'))
    } catch (cause) {
      throw new StartError(
        `No backup could be written before the upgrade, so nothing was changed. ${messageOf(cause)}\nSVC_BACKUP_BEFORE_UPGRADE=false upgrades without one.`,
        { cause },
      )
    }
  } finally {
    await db.destroy()
  }
}

async function take(
  env: PlatformEnv,
  db: Db,
  read_url: string,
  folder: string,
  { log, metrics }: Upgrade,
): Promise<string> {
  const storage = await openStorage(env, log, metrics)
  const to = await openPlace(folder)
  try {
    const [backup_id, now] = [randomUUID(), () => new Date()]
    const name = backupName(backup_id, now())
    const parts = { ...storage, db, read_url, places: sealedPlaces, version: build().version, now }
    await takeBackup(parts, { backup_id, name, to })
    return name
  } finally {
    to.close()
    await storage.close()
  }
}

/** The finished backups of a folder, the oldest first. */
async function finishedIn(folder: string): Promise<string[]> {
  const store = await openPlace(folder)
  try {
    const finished: string[] = []
    for (const name of (await readdir(folder)).toSorted())
      if ((await readManifest(store, name)) !== null) finished.push(name)
    return finished
  } finally {
    store.close()
  }
}

async function removeOlder(folder: string): Promise<void> {
  const levels = (await readdir(folder)).flatMap((name) => folderPattern.exec(name)?.[1] ?? [])
  for (const level of levels.toSorted((a, b) => Number(b) - Number(a)).slice(kept))
    await rm(join(folder, `before-${level}`), { recursive: true, force: true })
}
