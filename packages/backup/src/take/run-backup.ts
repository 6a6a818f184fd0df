import { randomUUID } from 'node:crypto'
import { backups, type Db, withTriedLock } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { backupName } from '../format/manifest.ts'
import { removeBackup, sweepTarget } from './sweep-target.ts'
import { type BackupParts, type BackupWish, takeBackup, type TakenBackup } from './take-backup.ts'

export interface RunBackup extends Pick<BackupWish, 'to' | 'master_key'> {
  /** An earlier backup of the place whose unchanged parts are linked, by its name; null for the newest. */
  readonly since?: string | null | undefined
  /** The URL of `to`, for the lists. */
  readonly target: string
  /** Finished ones of this place that are kept; without it all are. */
  readonly keep?: number | undefined
  /** Takes one that was asked for, if there is one, and makes none of its own. */
  readonly asked_only?: boolean
}

export type BackupOutcome =
  | { readonly kind: 'done'; readonly name: string; readonly taken: TakenBackup }
  /** Another process takes one, or nothing was asked for. */
  | { readonly kind: 'running' | 'none' }

/** While one process takes a backup no other does; PostgreSQL tells when it is gone. */
const lockKey = 'backup'

/** Takes a backup and writes down how it ended. What a killed run left half made is removed first. */
export async function runBackup(parts: BackupParts, locks: Db, run: RunBackup): Promise<BackupOutcome> {
  const outcome = await withTriedLock(locks, lockKey, async (): Promise<BackupOutcome> => {
    const { db } = parts
    await backups.failClaimed(db, 'The process that took it is gone', new Date())
    const asked = run.asked_only === true ? undefined : await askFor(db, run.target)
    if (asked === null) return { kind: 'running' }
    const row = await backups.claim(db, { target: run.target, backup_id: asked }, new Date())
    if (row === undefined) return { kind: 'none' }
    const { backup_id, name } = row
    try {
      await sweepTarget(db, run.to, run.target)
      const since = run.since === null ? await newestIn(db, run.target, run.to) : run.since
      const taken = await takeBackup(parts, { ...run, backup_id, name, since })
      await backups.finish(db, backup_id, taken.bytes, new Date())
      if (run.keep !== undefined) await removeOlder(db, run.to, run.target, run.keep)
      return { kind: 'done', name, taken }
    } catch (error) {
      await backups.fail(db, backup_id, error instanceof Error ? error.message : String(error), new Date())
      await removeBackup(run.to, name).catch(() => undefined)
      throw error
    }
  })
  return outcome ?? { kind: 'running' }
}

/** Writes down that one is wanted; null while another is under way. */
export async function askFor(db: Db, target: string): Promise<string | null> {
  const backup_id = randomUUID()
  const started_at = new Date()
  const name = backupName(backup_id, started_at)
  return (await backups.ask(db, { backup_id, name, target, started_at })) ? backup_id : null
}

async function newestIn(db: Db, target: string, to: ObjectStore): Promise<string | undefined> {
  for (const { state, name } of await backups.listOf(db, target))
    if (state === 'done' && (await to.head(`${name}/manifest.json`)) !== null) return name
  return undefined
}

async function removeOlder(db: Db, to: ObjectStore, target: string, keep: number): Promise<void> {
  const done = (await backups.listOf(db, target)).filter(({ state }) => state === 'done')
  for (const { backup_id, name } of done.slice(keep)) {
    await removeBackup(to, name)
    await backups.remove(db, backup_id)
  }
}
