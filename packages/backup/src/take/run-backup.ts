import { randomUUID } from 'node:crypto'
import { type BackupRow, backups, type Db, withTriedLock } from '@svc/db'
import { backupName } from '@svc/facts'
import type { ObjectStore } from '@svc/objects'
import { removeBackup, sweepTarget } from './sweep-target.ts'
import { type BackupParts, type BackupWish, takeBackup, type TakenBackup } from './take-backup.ts'

export interface RunBackup extends Pick<BackupWish, 'master_key' | 'gateway_key'> {
  /** Opens the place; it is closed at the end. */
  readonly open: () => Promise<ObjectStore>

  /** An earlier backup of the place whose unchanged parts are linked, by its name; null for the newest. */
  readonly since?: string | null | undefined
  /** The URL of the place, for the lists. */
  readonly target: string
  /** Finished ones of this place that are kept; without it all are. */
  readonly keep?: number | undefined
  /** Takes the one that was asked for; where there is none, says whether one of its own is made. Without it, always. */
  readonly own?: () => Promise<boolean>
}

export type BackupOutcome =
  | { readonly kind: 'done'; readonly name: string; readonly taken: TakenBackup }
  /** Another process takes one, or nothing was asked for. */
  | { readonly kind: 'running' | 'none' }

/** While one process takes a backup no other does; PostgreSQL tells when it is gone. */
const lockKey = 'backup'
/** The time after which a request for a place fails that no process takes backups to. */
const forgottenMs = 10 * 60_000

/** Takes a backup and writes down how it ended. The half made folder of a killed run is removed first. */
export async function runBackup(parts: BackupParts, locks: Db, run: RunBackup): Promise<BackupOutcome> {
  const outcome = await withTriedLock(locks, lockKey, async (): Promise<BackupOutcome> => {
    const { db } = parts
    const now = parts.now()
    await backups.failClaimed(db, 'The process that took it is gone', now)
    await backups.failForgotten(db, 'No process takes backups to this place', {
      ...{ target: run.target, now, before: new Date(now.getTime() - forgottenMs) },
    })
    const row = await claim(parts, run)
    return typeof row === 'string' ? { kind: row } : { kind: 'done', ...(await take(parts, run, row)) }
  })
  return outcome ?? { kind: 'running' }
}

/** The row that this process takes: one that waits for it, or one of its own. */
async function claim(
  { db, now }: BackupParts,
  { target, own }: RunBackup,
): Promise<BackupRow | 'running' | 'none'> {
  if (own !== undefined) {
    const waiting = await backups.claim(db, { target }, now())
    if (waiting !== undefined) return waiting
    if (!(await own())) return 'none'
  }
  const asked = await askFor(db, target, now())
  return (asked && (await backups.claim(db, { target, backup_id: asked }, now()))) || 'running'
}

async function take(
  parts: BackupParts,
  { open, ...run }: RunBackup,
  { backup_id, name }: BackupRow,
): Promise<{ readonly name: string; readonly taken: TakenBackup }> {
  const { db, now } = parts
  let to: ObjectStore | undefined
  try {
    to = await open()
    await sweepTarget(db, to, run.target)
    const since = run.since === null ? await newestIn(db, run.target, to) : run.since
    const taken = await takeBackup(parts, { ...run, to, backup_id, name, since })
    await backups.finish(db, backup_id, taken, now())
    if (run.keep !== undefined) await removeOlder(db, to, run.target, run.keep)
    return { name, taken }
  } catch (error) {
    await backups.fail(db, backup_id, error instanceof Error ? error.message : String(error), now())
    if (to !== undefined) await removeBackup(to, name).catch(() => undefined)
    throw error
  } finally {
    to?.close()
  }
}

/** Writes down that one is wanted; null while another is under way. */
async function askFor(db: Db, target: string, started_at: Date): Promise<string | null> {
  const backup_id = randomUUID()
  const name = backupName(backup_id, started_at)
  return (await backups.ask(db, { backup_id, name, target, started_at })) ? backup_id : null
}

async function newestIn(db: Db, target: string, to: ObjectStore): Promise<string | undefined> {
  for (const { state, name } of await backups.listOf(db, target))
    if (state === 'done' && (await to.head(`${name}/manifest.json`)) !== null) return name
  return undefined
}

/** The folders of those that failed are gone already. */
async function removeOlder(db: Db, to: ObjectStore, target: string, keep: number): Promise<void> {
  const rows = await backups.listOf(db, target)
  const beyond = (wanted: BackupRow['state']) => rows.filter(({ state }) => state === wanted).slice(keep)
  for (const { backup_id, name } of beyond('done')) {
    await removeBackup(to, name)
    await backups.remove(db, backup_id)
  }
  for (const { backup_id } of beyond('failed')) await backups.remove(db, backup_id)
}
