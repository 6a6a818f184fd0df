import { type FireEvent, type FireStatus, fireStatusesAccepting } from '@svc/trigger'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from './database.ts'
import type { TriggerKey } from './triggers.ts'
import type { TriggerFireRow, TriggerFireTable } from './triggers.table.ts'

export type NewFire = Insertable<TriggerFireTable>

/** Undefined when this occurrence is in the ledger already. */
export async function insert(db: Db, fire: NewFire): Promise<TriggerFireRow | undefined> {
  return db
    .insertInto('trigger_fires')
    .values(fire)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function insertAll(db: Db, fires: readonly NewFire[]): Promise<void> {
  if (fires.length === 0) return
  await db
    .insertInto('trigger_fires')
    .values([...fires])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function find(db: Db, fire_id: string): Promise<TriggerFireRow | undefined> {
  return db.selectFrom('trigger_fires').selectAll().where('fire_id', '=', fire_id).executeTakeFirst()
}

export async function findByReceipt(db: Db, receipt_id: string): Promise<TriggerFireRow | undefined> {
  return db.selectFrom('trigger_fires').selectAll().where('receipt_id', '=', receipt_id).executeTakeFirst()
}

export async function lock(tx: Db, fire_id: string): Promise<TriggerFireRow | undefined> {
  return tx
    .selectFrom('trigger_fires')
    .selectAll()
    .where('fire_id', '=', fire_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The fire that has been owed its session the longest and that nobody else has. */
export async function claimOwed(tx: Db, now: Date): Promise<TriggerFireRow | undefined> {
  return tx
    .selectFrom('trigger_fires')
    .selectAll()
    .where('retry_at', '<=', now)
    .orderBy('retry_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function nextOwed(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('trigger_fires')
    .select('retry_at')
    .where('retry_at', 'is not', null)
    .orderBy('retry_at')
    .limit(1)
    .executeTakeFirst()
  return row?.retry_at ?? null
}

/** Applies `event` if the fire's status still accepts it; undefined means it did not. */
export async function apply(
  db: Db,
  fire_id: string,
  event: FireEvent,
  patch: Updateable<TriggerFireTable> & { readonly status: FireStatus },
): Promise<TriggerFireRow | undefined> {
  return db
    .updateTable('trigger_fires')
    .set(patch)
    .where('fire_id', '=', fire_id)
    .where('status', 'in', fireStatusesAccepting(event))
    .returningAll()
    .executeTakeFirst()
}

export async function putOff(db: Db, fire_id: string, retry_at: Date): Promise<void> {
  await db
    .updateTable('trigger_fires')
    .set((eb) => ({ retry_at, attempts: eb('attempts', '+', 1) }))
    .where('fire_id', '=', fire_id)
    .where('retry_at', 'is not', null)
    .execute()
}

/** Whether an earlier fire of the trigger still waits for its session: fires of one trigger keep their order. */
export async function hasWaiting(
  db: Db,
  key: TriggerKey,
  before: Pick<TriggerFireRow, 'created_at' | 'fire_id'>,
) {
  const row = await db
    .selectFrom('trigger_fires')
    .select('fire_id')
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .where('status', '=', 'queued')
    .where('type', '<>', 'manual')
    .where('retry_at', 'is not', null)
    .where(sql<boolean>`(created_at, fire_id) < (${before.created_at}, ${before.fire_id}::uuid)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an agent is still at work on an earlier fire of the trigger: its prompt is not answered, its session lives. */
export async function isBusy(db: Db, key: TriggerKey): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (
      select 1 from trigger_sessions t
      join project_sessions s on s.session_id = t.session_id
      join session_prompts p on p.session_id = t.session_id
      where t.project_id = ${key.project_id} and t.slug = ${key.slug}
        and s.status in ('provisioning', 'running') and s.deleted_at is null
        and p.source = 'trigger' and p.state in ('pending', 'delivered', 'running')) as busy`.execute(db)
  return rows[0]?.busy ?? false
}

export interface FireListQuery extends TriggerKey {
  readonly limit: number
  readonly before?: { readonly created_at: Date; readonly fire_id: string } | undefined
}

/** Newest first. */
export async function list(db: Db, query: FireListQuery): Promise<TriggerFireRow[]> {
  let rows = db
    .selectFrom('trigger_fires')
    .selectAll()
    .where('project_id', '=', query.project_id)
    .where('slug', '=', query.slug)
  if (query.before !== undefined) {
    const { created_at, fire_id } = query.before
    rows = rows.where(sql<boolean>`(created_at, fire_id) < (${created_at}, ${fire_id}::uuid)`)
  }
  return rows.orderBy('created_at', 'desc').orderBy('fire_id', 'desc').limit(query.limit).execute()
}

export async function removeOlder(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from trigger_fires where fire_id in (
      select fire_id from trigger_fires where created_at < ${before} and retry_at is null limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
