import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { ProcessRow, ProcessTable } from './processes.table.ts'

/** Time between two beats of a process. */
export const beatMs = 10_000
/** A process without a beat for as long is gone. */
export const goneMs = 60_000
/** The row of one that is gone is kept for as long, so that a person can look it up. */
const keptMs = 86_400_000

export type NewProcess = Omit<Insertable<ProcessTable>, 'state' | 'drain_reason'>

/** Registers a process, or notes that it lives. Answers with the state that it is to be in. */
export async function beat(db: Db, process: NewProcess): Promise<ProcessRow['state']> {
  const { state } = await db
    .insertInto('processes')
    .values({ ...process, drain_reason: null })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ beat_at: process.beat_at }))
    .returning('state')
    .executeTakeFirstOrThrow()
  return state
}

export async function drain(
  db: Db,
  { process_id, reason }: { readonly process_id: string; readonly reason: string },
): Promise<void> {
  await db
    .updateTable('processes')
    .set({ state: 'draining', drain_reason: reason })
    .where('process_id', '=', process_id)
    .execute()
}

export async function remove(db: Db, process_id: string): Promise<void> {
  await db.deleteFrom('processes').where('process_id', '=', process_id).execute()
}

export async function listLiving(db: Db, now: Date): Promise<ProcessRow[]> {
  return db
    .selectFrom('processes')
    .selectAll()
    .where('beat_at', '>', new Date(now.getTime() - goneMs))
    .orderBy('service')
    .orderBy('started_at')
    .execute()
}

export interface Ceiling {
  readonly living: number
  /** As many as all of them together may open. */
  readonly connections: number
  /** As many as the server takes. */
  readonly max_connections: number
}

export async function readCeiling(db: Db, now: Date): Promise<Ceiling> {
  const found = await db
    .selectFrom('processes')
    .where('beat_at', '>', new Date(now.getTime() - goneMs))
    .select((eb) => [
      eb.fn.countAll<number>().as('living'),
      sql<number>`coalesce(sum(connections), 0)::integer`.as('connections'),
      sql<number>`current_setting('max_connections')::integer`.as('max_connections'),
    ])
    .executeTakeFirstOrThrow()
  return found
}

/** The state that the process takes with its next beat; undefined for one that is gone. */
export async function setState(
  tx: Db,
  process_id: string,
  to: Pick<ProcessRow, 'state' | 'drain_reason'>,
  now: Date,
): Promise<ProcessRow | undefined> {
  return tx
    .updateTable('processes')
    .set(to)
    .where('process_id', '=', process_id)
    .where('beat_at', '>', new Date(now.getTime() - goneMs))
    .returningAll()
    .executeTakeFirst()
}

/** Removes the rows of processes that ended without a word long ago. */
export async function removeGone(db: Db, now: Date): Promise<void> {
  await sql`delete from processes where beat_at < ${new Date(now.getTime() - keptMs)}`.execute(db)
}
