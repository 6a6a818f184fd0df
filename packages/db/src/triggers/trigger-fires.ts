import { promptMachine } from '@svc/session'
import { fireMachine } from '@svc/trigger'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { literals } from '../kit/literals.ts'
import { live } from '../kit/live.ts'
import { prepared } from '../kit/prepared.ts'
import { columnsOf, valuesOf } from '../kit/record.ts'
import type { TriggerKey } from './triggers.ts'
import type { TriggerFireRow, TriggerFireTable } from './triggers.table.ts'

export type NewFire = Insertable<TriggerFireTable>

/** Undefined when this occurrence is in the ledger already. */
export async function insert(db: Db, fire: NewFire): Promise<TriggerFireRow | undefined> {
  const { rows } = await sql<TriggerFireRow>`${prepared}
    insert into trigger_fires (${columnsOf(fire)}) values (${valuesOf(fire)}) on conflict do nothing
    returning fire_id, project_id, slug, type, occurrence, scheduled_at, fired_at, status, reason, code, session_id,
      planned_session_id, prompt, session_key, actor, actor_session_id, receipt_id, delivery_id, replay_of, attempts, retry_at,
      created_at`.execute(db)
  return rows[0]
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

export async function lock(tx: Db, fire_id: string): Promise<TriggerFireRow | undefined> {
  return tx
    .selectFrom('trigger_fires')
    .selectAll()
    .where('fire_id', '=', fire_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The fire that has been owed its session the longest and that no other worker has. */
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

/** An event and its input. The status and every other column follow from them. */
export type FireChange =
  | { readonly event: 'fire'; readonly session_id: string }
  | { readonly event: 'queue'; readonly reason: string; readonly retry_at: Date }
  | { readonly event: 'skip' | 'miss'; readonly reason: string }
  | { readonly event: 'fail'; readonly reason: string; readonly code?: string | undefined }

export interface Settlement {
  readonly change: FireChange
  /** True when the rendered prompt is kept. */
  readonly keeps_prompt: boolean
  readonly at: Date
  /** The slot that the trigger waits for from now on; null leaves it. */
  readonly slot: { readonly next_fire_at: Date | null; readonly due_at: Date | null } | null
}

/** Applies an event if the fire's status accepts it, and writes the outcome to the trigger. */
export async function settle(
  tx: Db,
  { fire_id, project_id, slug }: TriggerKey & Pick<TriggerFireRow, 'fire_id'>,
  { change, keeps_prompt, at, slot }: Settlement,
): Promise<void> {
  const { reason, code, session_id, fired_at, retry_at } = endOf(change, at)
  const error = change.event === 'fail' ? change.reason : null
  await sql`${prepared}
    with fire as (
      update trigger_fires set status = ${fireMachine.to(change.event)}, reason = ${reason}, code = ${code}, session_id = ${session_id},
        fired_at = ${fired_at}, retry_at = ${retry_at},
        prompt = case when ${keeps_prompt}::boolean then prompt end
      where fire_id = ${fire_id} and status = any(${fireMachine.from(change.event)}::text[])
    )
    update project_triggers set last_status = ${fireMachine.to(change.event)}, last_error = ${error}, last_attempt_at = ${at},
      last_fired_at = coalesce(${fired_at}::timestamptz, last_fired_at)${
        slot === null ? sql`` : sql`, next_fire_at = ${slot.next_fire_at}, due_at = ${slot.due_at}`
      }
    where project_id = ${project_id} and slug = ${slug}`.execute(tx)
}

function endOf(change: FireChange, at: Date) {
  const none = { reason: null, code: null, session_id: null, fired_at: null, retry_at: null }
  switch (change.event) {
    case 'fire':
      return { ...none, session_id: change.session_id, fired_at: at }
    case 'queue':
      return { ...none, reason: change.reason, retry_at: change.retry_at }
    case 'fail':
      return { ...none, reason: change.reason, code: change.code ?? null }
    case 'skip':
    case 'miss':
      return { ...none, reason: change.reason }
  }
}

/** Puts these fires off, each to its time, unless it was decided meanwhile. */
export async function putOff(
  db: Db,
  fires: readonly { readonly fire_id: string; readonly retry_at: Date }[],
): Promise<void> {
  await sql`${prepared}
    update trigger_fires f set retry_at = o.retry_at, attempts = f.attempts + 1
    from unnest(${fires.map(({ fire_id }) => fire_id)}::uuid[], ${fires.map(({ retry_at }) => retry_at)}::timestamptz[])
      as o (fire_id, retry_at)
    where f.fire_id = o.fire_id and f.retry_at is not null`.execute(db)
}

/** Has a fire that waits for its next try be tried at the next look. */
export async function hasten(db: Db, fire_id: string, now: Date): Promise<void> {
  await db
    .updateTable('trigger_fires')
    .set({ retry_at: now })
    .where('fire_id', '=', fire_id)
    .where('retry_at', '>', now)
    .execute()
}

export interface Ahead {
  /** An earlier fire of the trigger still waits for its session: fires of one trigger keep their order. */
  readonly waiting: boolean
  /** An agent is still at work on an earlier fire: its prompt is not answered, its session lives. */
  readonly busy: boolean
}

/** Reads what a fire must wait for; whether the trigger is busy only when `asks_busy`. */
export async function ahead(
  db: Db,
  { project_id, slug, created_at, fire_id }: TriggerKey & Pick<TriggerFireRow, 'created_at' | 'fire_id'>,
  asks_busy: boolean,
): Promise<Ahead> {
  const { rows } = await sql<Ahead>`${prepared}
    select exists (
        select from trigger_fires f where f.project_id = ${project_id} and f.slug = ${slug} and f.status = 'queued'
        and f.type <> 'manual' and (f.created_at, f.fire_id) < (${created_at}::timestamptz, ${fire_id}::uuid)) as waiting,
      case when ${asks_busy}::boolean then exists (
        select from trigger_sessions t
        join project_sessions s on s.session_id = t.session_id
        join session_prompts p on p.session_id = t.session_id
        where t.project_id = ${project_id} and t.slug = ${slug}
          and s.status in ${live} and s.deleted_at is null
          and p.source = 'trigger' and p.state in ${literals(promptMachine.from('complete'))})
        else false end as busy`.execute(db)
  return rows[0] ?? { waiting: false, busy: false }
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
