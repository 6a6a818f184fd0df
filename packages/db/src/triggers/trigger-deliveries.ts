import { type DeliveryEvent, deliveryMachine } from '@svc/trigger'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import type { NewFire } from './trigger-fires.ts'
import type { TriggerKey } from './triggers.ts'
import type { TriggerDeliveryRow, TriggerDeliveryTable } from './triggers.table.ts'

export type NewDelivery = Insertable<TriggerDeliveryTable>

type ReceivedFire = Pick<
  NewFire,
  'fire_id' | 'planned_session_id' | 'prompt' | 'session_key' | 'status' | 'reason' | 'retry_at'
>

/** A delivery that is accepted, and the fire that it owes. */
export interface Received {
  readonly delivery: NewDelivery & { readonly delivery_id: string }
  readonly fire: ReceivedFire
  /** The same delivery is another one when it came before this. */
  readonly fresh_since: Date
}

/**
 * Keeps deliveries, which are all different, with the fires that they owe, in one statement. Returns the receipts of
 * those that were kept: a repeat of a delivery since its `fresh_since` is not. Sends no notification: commits that notify
 * wait for each other. The order of the keys keeps two such statements from waiting for each other in a circle.
 */
export async function receive(db: Db, received: readonly Received[]): Promise<Set<string>> {
  const of = <T>(value: (one: Received) => T): T[] => received.map(value)
  const { rows } = await sql<{ receipt_id: string }>`${prepared}
    with came as (
      select * from unnest(
        ${of(({ delivery }) => delivery.receipt_id)}::uuid[], ${of(({ delivery }) => delivery.project_id)}::uuid[],
        ${of(({ delivery }) => delivery.slug)}::text[], ${of(({ delivery }) => delivery.delivery_id)}::text[],
        ${of(({ delivery }) => delivery.received_at)}::timestamptz[], ${of(({ fresh_since }) => fresh_since)}::timestamptz[],
        ${of(({ delivery }) => delivery.headers)}::text[], ${of(({ delivery }) => delivery.body)}::bytea[],
        ${of(({ delivery }) => delivery.body_bytes)}::integer[], ${of(({ delivery }) => delivery.verdict)}::text[],
        ${of(({ delivery }) => delivery.reason)}::text[], ${of(({ fire }) => fire.fire_id)}::uuid[],
        ${of(({ fire }) => fire.status)}::text[], ${of(({ fire }) => fire.reason)}::text[],
        ${of(({ fire }) => fire.planned_session_id)}::uuid[], ${of(({ fire }) => fire.prompt)}::text[],
        ${of(({ fire }) => fire.session_key ?? '')}::text[], ${of(({ fire }) => fire.retry_at)}::timestamptz[]
      ) as c (receipt_id, project_id, slug, delivery_id, received_at, fresh_since, headers, body, body_bytes, verdict,
        reason, fire_id, fire_status, fire_reason, planned_session_id, prompt, session_key, retry_at)
    ), known as (
      insert into trigger_delivery_keys as k (project_id, slug, delivery_id, receipt_id, received_at)
      select project_id, slug, delivery_id, receipt_id, received_at from came order by project_id, slug, delivery_id
      on conflict (project_id, slug, delivery_id)
        do update set receipt_id = excluded.receipt_id, received_at = excluded.received_at
        where k.received_at < (select c.fresh_since from came c where c.receipt_id = excluded.receipt_id)
      returning k.receipt_id
    ), kept as (
      insert into trigger_deliveries
        (receipt_id, project_id, slug, delivery_id, received_at, headers, body, body_bytes, verdict, reason)
      select receipt_id, project_id, slug, delivery_id, received_at, headers::jsonb, body, body_bytes, verdict, reason
      from known join came using (receipt_id)
    ), owed as (
      insert into trigger_fires
        (fire_id, project_id, slug, type, occurrence, scheduled_at, status, reason, planned_session_id, prompt,
         session_key, receipt_id, delivery_id, retry_at, created_at)
      select fire_id, project_id, slug, 'webhook', delivery_id, received_at, fire_status, fire_reason,
        planned_session_id, prompt, session_key, receipt_id, delivery_id, retry_at, received_at
      from known join came using (receipt_id)
    )
    select receipt_id from known`.execute(db)
  return new Set(rows.map(({ receipt_id }) => receipt_id))
}

/** A delivery that opens no session, and the ledger row that has its end from the beginning. */
export interface Closed {
  readonly delivery: NewDelivery & {
    readonly delivery_id: string
    readonly verdict: 'skipped' | 'deduped'
    readonly reason: string
  }
  readonly fire: Pick<NewFire, 'fire_id' | 'planned_session_id'>
}

/** Keeps deliveries with their ledger rows in one statement. By receipt, the session of the first of a repeated one. */
export async function close(db: Db, closed: readonly Closed[]): Promise<Map<string, string | null>> {
  const of = <T>(value: (one: Closed) => T): T[] => closed.map(value)
  const { rows } = await sql<{ receipt_id: string; session_id: string | null }>`${prepared}
    with came as (
      select * from unnest(
        ${of(({ delivery }) => delivery.receipt_id)}::uuid[], ${of(({ delivery }) => delivery.project_id)}::uuid[],
        ${of(({ delivery }) => delivery.slug)}::text[], ${of(({ delivery }) => delivery.delivery_id)}::text[],
        ${of(({ delivery }) => delivery.received_at)}::timestamptz[], ${of(({ delivery }) => delivery.headers)}::text[],
        ${of(({ delivery }) => delivery.body)}::bytea[], ${of(({ delivery }) => delivery.body_bytes)}::integer[],
        ${of(({ delivery }) => delivery.verdict)}::text[], ${of(({ delivery }) => delivery.reason)}::text[],
        ${of(({ fire }) => fire.fire_id)}::uuid[], ${of(({ fire }) => fire.planned_session_id)}::uuid[]
      ) as c (receipt_id, project_id, slug, delivery_id, received_at, headers, body, body_bytes, verdict, reason,
        fire_id, planned_session_id)
    ), ended as (
      select came.*, coalesce(f.session_id, f.planned_session_id) as session_id from came
      left join trigger_delivery_keys k on came.verdict = 'deduped' and k.project_id = came.project_id
        and k.slug = came.slug and k.delivery_id = came.delivery_id
      left join trigger_fires f on f.receipt_id = k.receipt_id
    ), kept as (
      insert into trigger_deliveries
        (receipt_id, project_id, slug, delivery_id, received_at, headers, body, body_bytes, verdict, reason)
      select receipt_id, project_id, slug, delivery_id, received_at, headers::jsonb, body, body_bytes, verdict, reason
      from came
    ), listed as (
      insert into trigger_fires
        (fire_id, project_id, slug, type, occurrence, scheduled_at, status, reason, session_id, planned_session_id,
         receipt_id, delivery_id, created_at)
      select fire_id, project_id, slug, 'webhook', delivery_id, received_at, verdict, reason, session_id,
        planned_session_id, receipt_id, delivery_id, received_at
      from ended
    )
    select receipt_id, session_id from ended`.execute(db)
  return new Map(rows.map(({ receipt_id, session_id }) => [receipt_id, session_id]))
}

/** The sender may send it again: its fire failed. */
export async function releaseKey(
  db: Db,
  receipt_id: string,
  key: TriggerKey,
  delivery_id: string,
): Promise<void> {
  await db
    .deleteFrom('trigger_delivery_keys')
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .where('delivery_id', '=', delivery_id)
    .where('receipt_id', '=', receipt_id)
    .execute()
}

export async function insert(db: Db, delivery: NewDelivery): Promise<void> {
  await db.insertInto('trigger_deliveries').values(delivery).execute()
}

/** Keeps a refused request, unless `max` were kept since `since`: a caller without a secret cannot fill the table. */
export async function insertRefused(db: Db, delivery: NewDelivery, since: Date, max: number): Promise<void> {
  const { refused } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('trigger_deliveries')
        .select('receipt_id')
        .where('project_id', '=', delivery.project_id)
        .where('slug', '=', delivery.slug)
        .where('received_at', '>', since)
        .where('verdict', '=', 'refused')
        .limit(max)
        .as('recent'),
    )
    .select((eb) => eb.fn.countAll<number>().as('refused'))
    .executeTakeFirstOrThrow()
  if (refused < max) await insert(db, delivery)
}

/** Applies `event` if the verdict of the delivery accepts it. */
export async function apply(db: Db, receipt_id: string, event: DeliveryEvent, reason: string): Promise<void> {
  await db
    .updateTable('trigger_deliveries')
    .set({ verdict: deliveryMachine.to(event), reason })
    .where('receipt_id', '=', receipt_id)
    .where('verdict', 'in', deliveryMachine.from(event))
    .execute()
}

export async function find(
  db: Db,
  key: TriggerKey,
  receipt_id: string,
): Promise<TriggerDeliveryRow | undefined> {
  return db
    .selectFrom('trigger_deliveries')
    .selectAll()
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .where('receipt_id', '=', receipt_id)
    .executeTakeFirst()
}

export interface DeliveryListQuery extends TriggerKey {
  readonly limit: number
  /** Bytes of each body that are read. */
  readonly body_bytes: number
  readonly before?: { readonly received_at: Date; readonly receipt_id: string } | undefined
}

/** Newest first, each with what became of it. */
export async function list(db: Db, query: DeliveryListQuery) {
  let rows = db
    .selectFrom('trigger_deliveries as d')
    .leftJoin('trigger_fires as f', 'f.receipt_id', 'd.receipt_id')
    .select(['d.receipt_id', 'd.delivery_id', 'd.received_at', 'd.headers', 'd.body_bytes'])
    .select(['d.verdict', 'd.reason', 'd.redelivery_of', 'f.fire_id', 'f.session_id'])
    .select(sql<Buffer | null>`substring(d.body from 1 for ${query.body_bytes})`.as('body'))
    .where('d.project_id', '=', query.project_id)
    .where('d.slug', '=', query.slug)
  if (query.before !== undefined) {
    const { received_at, receipt_id } = query.before
    rows = rows.where(sql<boolean>`(d.received_at, d.receipt_id) < (${received_at}, ${receipt_id}::uuid)`)
  }
  return rows.orderBy('d.received_at', 'desc').orderBy('d.receipt_id', 'desc').limit(query.limit).execute()
}

export async function removeOlder(db: Db, before: Date, keys_before: Date, limit: number): Promise<number> {
  const deliveries = await sql`
    delete from trigger_deliveries where receipt_id in (
      select d.receipt_id from trigger_deliveries d where d.received_at < ${before}
        and not exists (select 1 from trigger_fires f where f.receipt_id = d.receipt_id and f.retry_at is not null)
      limit ${limit})`.execute(db)
  const keys = await sql`
    delete from trigger_delivery_keys where ctid in (
      select ctid from trigger_delivery_keys where received_at < ${keys_before} limit ${limit})`.execute(db)
  return Number(deliveries.numAffectedRows ?? 0) + Number(keys.numAffectedRows ?? 0)
}
