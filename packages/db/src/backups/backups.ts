import { backupMachine } from '@svc/access'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { BackupRow } from './backups.table.ts'

export type WantedBackup = Pick<BackupRow, 'backup_id' | 'name' | 'target' | 'started_at'>

/** Writes down that a backup is wanted; false while another one runs. */
export async function ask(db: Db, wanted: WantedBackup): Promise<boolean> {
  const row = await db
    .insertInto('backups')
    .values({ ...wanted, state: 'running' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('backup_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Makes the one that waits for this place, or this one of them, the caller's, who holds the lock of backups. */
export async function claim(
  db: Db,
  { target, backup_id }: { readonly target: string; readonly backup_id?: string | undefined },
  now: Date,
): Promise<BackupRow | undefined> {
  return db
    .updateTable('backups')
    .set({ claimed_at: now })
    .where('state', '=', 'running')
    .where('claimed_at', 'is', null)
    .where('target', '=', target)
    .$if(backup_id !== undefined, (query) => query.where('backup_id', '=', backup_id ?? ''))
    .returningAll()
    .executeTakeFirst()
}

export async function finish(
  db: Db,
  backup_id: string,
  { bytes, missing }: { readonly bytes: number; readonly missing: readonly string[] },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('backups')
    .set({ state: backupMachine.to('finish'), bytes, missing: [...missing], finished_at: now })
    .where('backup_id', '=', backup_id)
    .where('state', 'in', backupMachine.from('finish'))
    .returning('backup_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function fail(db: Db, backup_id: string, error: string, now: Date): Promise<void> {
  await db
    .updateTable('backups')
    .set({ state: backupMachine.to('fail'), error, finished_at: now })
    .where('backup_id', '=', backup_id)
    .where('state', 'in', backupMachine.from('fail'))
    .execute()
}

/** Fails what a process claimed that is gone: only the holder of the lock of backups asks. */
export async function failClaimed(db: Db, error: string, now: Date): Promise<void> {
  await db
    .updateTable('backups')
    .set({ state: backupMachine.to('fail'), error, finished_at: now })
    .where('state', 'in', backupMachine.from('fail'))
    .where('claimed_at', 'is not', null)
    .execute()
}

interface Forgotten {
  /** The place that the caller takes backups to. */
  readonly target: string
  readonly before: Date
  readonly now: Date
}

/** Fails what was asked for another place, and no process takes. */
export async function failForgotten(
  db: Db,
  error: string,
  { target, before, now }: Forgotten,
): Promise<void> {
  await db
    .updateTable('backups')
    .set({ state: backupMachine.to('fail'), error, finished_at: now })
    .where('state', 'in', backupMachine.from('fail'))
    .where('claimed_at', 'is', null)
    .where('target', '!=', target)
    .where('started_at', '<', before)
    .execute()
}

/** By the index `backups_running`. */
export async function isRunning(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('backups')
    .select('backup_id')
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

interface BackupQuery {
  readonly after?: Pick<BackupRow, 'started_at' | 'backup_id'> | undefined
  readonly limit: number
}

/** The newest first. */
export async function list(db: Db, { after, limit }: BackupQuery): Promise<BackupRow[]> {
  return db
    .selectFrom('backups')
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(started_at, backup_id) < (${after?.started_at}, ${after?.backup_id})`),
    )
    .orderBy('started_at', 'desc')
    .orderBy('backup_id', 'desc')
    .limit(limit)
    .execute()
}

/** Those of one place, the newest first. */
export async function listOf(db: Db, target: string): Promise<BackupRow[]> {
  return db
    .selectFrom('backups')
    .selectAll()
    .where('target', '=', target)
    .orderBy('started_at', 'desc')
    .execute()
}

export async function remove(db: Db, backup_id: string): Promise<void> {
  await db.deleteFrom('backups').where('backup_id', '=', backup_id).where('state', '!=', 'running').execute()
}

/** The newest that has the repository of a project as it is said to be there. */
export async function newestWith(
  db: Db,
  project: { readonly project_id: string; readonly created_at: Date },
): Promise<BackupRow | undefined> {
  return db
    .selectFrom('backups')
    .selectAll()
    .where('state', '=', 'done')
    .where('started_at', '>', project.created_at)
    .where(sql<boolean>`not (${project.project_id}::uuid = any(missing))`)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The time at which the last one ended well; null when none did. */
export async function lastSuccess(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('backups')
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row?.at ?? null
}
