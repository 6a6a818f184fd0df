import { eventDeliveryMachine, type EventDeliveryState } from '@svc/event/states'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { EventAttemptRow, EventDeliveryRow, PlatformEventRow, SubscriptionRow } from './events.table.ts'

const open = ['pending', 'sending', 'failed'] as const satisfies readonly EventDeliveryState[]

export interface NewDelivery {
  readonly delivery_id: string
  readonly event_id: string
  readonly replay: number
}

/** Appends deliveries to a subscription that the caller holds; one that is there already is left out. How many are new. */
export async function append(
  tx: Db,
  { subscription_id, next_position }: Pick<SubscriptionRow, 'subscription_id' | 'next_position'>,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<number> {
  if (deliveries.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    insert into event_deliveries (delivery_id, subscription_id, event_id, position, replay, state, next_at, created_at)
    select delivery_id, ${subscription_id}, event_id, ${next_position}::bigint + place - 1, replay, 'pending', ${now}, ${now}
    from unnest(${deliveries.map(({ delivery_id }) => delivery_id)}::uuid[],
      ${deliveries.map(({ event_id }) => event_id)}::text[],
      ${deliveries.map(({ replay }) => replay)}::integer[])
      with ordinality as given (delivery_id, event_id, replay, place)
    on conflict (subscription_id, event_id, replay) do nothing`.execute(tx)
  await tx
    .updateTable('event_subscriptions')
    .set({ next_position: next_position + deliveries.length })
    .where('subscription_id', '=', subscription_id)
    .execute()
  return Number(numAffectedRows)
}

/** Subscriptions with a delivery that is due, or whose worker gave no sign for as long as its lease. */
export async function dueSubscriptions(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ subscription_id: string }>`
    (select distinct subscription_id from event_deliveries
      where state in ('pending', 'failed') and next_at <= ${now} limit ${limit})
    union
    (select distinct subscription_id from event_deliveries
      where state = 'sending' and lease_until <= ${now} limit ${limit})`.execute(db)
  return rows.map(({ subscription_id }) => subscription_id)
}

/** Deliveries that a worker takes up at a time, where no order is kept. */
const batch = 128

export type ClaimedDelivery = EventDeliveryRow & { readonly event: PlatformEventRow }

/**
 * The deliveries that a worker may begin now, as `sending`, each with its event; the caller holds the subscription. None
 * while those of another worker run. Where the order is kept, the first that is open, and none while it waits for its next
 * try.
 */
export async function claim(
  tx: Db,
  { subscription_id, ordering }: Pick<SubscriptionRow, 'subscription_id' | 'ordering'>,
  { now, lease_ms }: { readonly now: Date; readonly lease_ms: number },
): Promise<ClaimedDelivery[]> {
  const isStrict = ordering === 'strict'
  const running = await tx
    .selectFrom('event_deliveries')
    .select('delivery_id')
    .where('subscription_id', '=', subscription_id)
    .where('state', '=', 'sending')
    .where('lease_until', '>', now)
    .limit(1)
    .executeTakeFirst()
  if (running !== undefined) return []
  const waiting = await tx
    .selectFrom('event_deliveries')
    .select(['delivery_id', 'next_at', 'lease_until'])
    .where('subscription_id', '=', subscription_id)
    .where('state', 'in', open)
    .where((where) =>
      isStrict ? where.lit(true) : where.or([where('next_at', '<=', now), where('state', '=', 'sending')]),
    )
    .orderBy('position')
    .limit(isStrict ? 1 : batch)
    .execute()
  const ids = waiting
    .filter(({ next_at, lease_until }) => (next_at ?? lease_until ?? now) <= now)
    .map(({ delivery_id }) => delivery_id)
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('event_deliveries')
    .set((from) => ({
      state: eventDeliveryMachine.to('send'),
      attempts: from('attempts', '+', 1),
      next_at: null,
      lease_until: new Date(now.getTime() + lease_ms),
    }))
    .where('delivery_id', 'in', ids)
    .where('state', 'in', eventDeliveryMachine.from('send'))
    .returningAll()
    .execute()
  const events = await tx
    .selectFrom('platform_events')
    .selectAll()
    .where(
      'event_id',
      'in',
      rows.map(({ event_id }) => event_id),
    )
    .execute()
  const byId = new Map(events.map((event) => [event.event_id, event]))
  return rows
    .flatMap((row) => {
      const event = byId.get(row.event_id)
      return event === undefined ? [] : [{ ...row, event }]
    })
    .sort((a, b) => a.position - b.position)
}

/** Gives back what was claimed and not begun, as if it had not been. */
export async function release(
  tx: Db,
  deliveries: readonly Pick<EventDeliveryRow, 'delivery_id' | 'attempts'>[],
  now: Date,
): Promise<void> {
  await sql`update event_deliveries d
    set state = ${eventDeliveryMachine.to('release')}, attempts = d.attempts - 1, next_at = ${now}, lease_until = null
    from unnest(${deliveries.map(({ delivery_id }) => delivery_id)}::uuid[],
      ${deliveries.map(({ attempts }) => attempts)}::integer[]) as given (delivery_id, attempts)
    where d.delivery_id = given.delivery_id and d.attempts = given.attempts
      and d.state = any(${eventDeliveryMachine.from('release')}::text[])`.execute(tx)
}

export interface DeliveryEnd {
  readonly event: 'deliver' | 'fail' | 'exhaust' | 'cancel'
  readonly status: number | null
  readonly error: string | null
  /** The next try of one that failed. */
  readonly next_at: Date | null
}

/** Ends one try; false when another worker has taken it up since, or it was cancelled. */
export async function finish(
  tx: Db,
  { delivery_id, attempts }: Pick<EventDeliveryRow, 'delivery_id' | 'attempts'>,
  { event, status, error, next_at }: DeliveryEnd,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('event_deliveries')
    .set({
      state: eventDeliveryMachine.to(event),
      ...{ last_status: status, last_error: error, next_at, lease_until: null },
      finished_at: event === 'fail' ? null : now,
    })
    .where('delivery_id', '=', delivery_id)
    .where('attempts', '=', attempts)
    .where('state', 'in', ['sending'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends tries that were taken, all at once; how many of them were still this worker's. */
export async function finishDelivered(
  tx: Db,
  tries: readonly (Pick<EventDeliveryRow, 'delivery_id' | 'attempts'> & { readonly status: number | null })[],
  now: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update event_deliveries d
    set state = ${eventDeliveryMachine.to('deliver')}, last_status = given.status, last_error = null,
      lease_until = null, finished_at = ${now}
    from unnest(${tries.map(({ delivery_id }) => delivery_id)}::uuid[],
      ${tries.map(({ attempts }) => attempts)}::integer[],
      ${tries.map(({ status }) => status)}::integer[]) as given (delivery_id, attempts, status)
    where d.delivery_id = given.delivery_id and d.attempts = given.attempts
      and d.state = any(${eventDeliveryMachine.from('deliver')}::text[])`.execute(tx)
  return Number(numAffectedRows)
}

/** Tries as they are shown; a repeat of a number is left out. */
export async function logAttempts(tx: Db, rows: readonly EventAttemptRow[]): Promise<void> {
  await sql`insert into event_attempts (delivery_id, number, at, status, duration_ms, error, answer)
    select * from unnest(${rows.map(({ delivery_id }) => delivery_id)}::uuid[],
      ${rows.map(({ number }) => number)}::integer[], ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ status }) => status)}::integer[], ${rows.map(({ duration_ms }) => duration_ms)}::integer[],
      ${rows.map(({ error }) => error)}::text[], ${rows.map(({ answer }) => answer)}::text[])
    on conflict do nothing`.execute(tx)
}

/** Ends all that wait, for a subscription that is told no more. */
export async function cancelOpen(tx: Db, subscription_id: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('event_deliveries')
    .set({
      state: eventDeliveryMachine.to('cancel'),
      ...{ next_at: null, lease_until: null, finished_at: now },
    })
    .where('subscription_id', '=', subscription_id)
    .where('state', 'in', eventDeliveryMachine.from('cancel'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export interface DeliveryQuery {
  readonly subscription_id: string
  readonly state?: EventDeliveryState | undefined
  readonly event_id?: string | undefined
  /** The position of the last one of the page before. */
  readonly before?: number | undefined
  readonly limit: number
}

export type ListedDelivery = EventDeliveryRow & { readonly type: string; readonly sequence: number }

function listed(db: Db, subscription_id: string) {
  return db
    .selectFrom('event_deliveries')
    .innerJoin('platform_events', 'platform_events.event_id', 'event_deliveries.event_id')
    .selectAll('event_deliveries')
    .select(['platform_events.type', sql<number>`coalesce(platform_events.seq, 0)`.as('sequence')])
    .where('subscription_id', '=', subscription_id)
}

/** Newest first. */
export async function list(db: Db, query: DeliveryQuery): Promise<ListedDelivery[]> {
  const { subscription_id, state, event_id, before, limit } = query
  let rows = listed(db, subscription_id)
  if (state !== undefined) rows = rows.where('state', '=', state)
  if (event_id !== undefined) rows = rows.where('event_deliveries.event_id', '=', event_id)
  if (before !== undefined) rows = rows.where('event_deliveries.position', '<', before)
  return rows.orderBy('event_deliveries.position', 'desc').limit(limit).execute()
}

export async function find(
  db: Db,
  { subscription_id, delivery_id }: Pick<EventDeliveryRow, 'subscription_id' | 'delivery_id'>,
): Promise<ListedDelivery | undefined> {
  return listed(db, subscription_id).where('delivery_id', '=', delivery_id).executeTakeFirst()
}

export async function attempts(db: Db, delivery_id: string): Promise<EventAttemptRow[]> {
  return db
    .selectFrom('event_attempts')
    .selectAll()
    .where('delivery_id', '=', delivery_id)
    .orderBy('number')
    .execute()
}
