import { type DeliveryEvent, deliveryMachine, type DeliveryVerdict } from '@svc/channel'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type { ChannelDeliveryRow, ChannelDeliveryTable } from './channels.table.ts'

export type NewDelivery = Insertable<ChannelDeliveryTable>

/** Writes what came in; what is there under one of its names already is left out. The ids of those that are new. */
export async function insert(db: Db, rows: readonly NewDelivery[]): Promise<readonly string[]> {
  if (rows.length === 0) return []
  const fresh = await db
    .insertInto('channel_deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('delivery_id')
    .execute()
  return fresh.map(({ delivery_id }) => delivery_id)
}

export async function find(
  db: Db,
  key: Pick<ChannelDeliveryRow, 'channel_id' | 'delivery_id'>,
): Promise<ChannelDeliveryRow | undefined> {
  return db
    .selectFrom('channel_deliveries')
    .selectAll()
    .where('delivery_id', '=', key.delivery_id)
    .where('channel_id', '=', key.channel_id)
    .executeTakeFirst()
}

/**
 * Takes up one that is due, until a worker that gives no sign loses it: undefined where it has a verdict, another worker has
 * it, or an earlier one of its thread waits.
 */
export async function claim(
  db: Db,
  delivery_id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<ChannelDeliveryRow | undefined> {
  return db
    .updateTable('channel_deliveries as d')
    .set({ retry_at: until })
    .where('d.delivery_id', '=', delivery_id)
    .where('d.verdict', '=', 'pending')
    .where('d.retry_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('channel_deliveries as e')
            .select('e.delivery_id')
            .whereRef('e.channel_id', '=', 'd.channel_id')
            .whereRef('e.thread_key', '=', 'd.thread_key')
            .whereRef('e.position', '<', 'd.position')
            .where('e.verdict', '=', 'pending'),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Those of a channel that are due, in the order in which they came. */
export async function due(db: Db, channel_id: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('channel_deliveries')
    .select('delivery_id')
    .where('channel_id', '=', channel_id)
    .where('retry_at', '<=', now)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ delivery_id }) => delivery_id)
}

/** Channels with one that is due. */
export async function dueChannels(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('channel_deliveries')
    .select('channel_id')
    .distinct()
    .where('retry_at', '<=', now)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

type Facts = Pick<
  Updateable<ChannelDeliveryTable>,
  'reason' | 'thread_id' | 'prompt_id' | 'link_id' | 'allowed'
>

/** Moves it by an event; false where it is in no state that accepts that. */
export async function move(
  db: Db,
  delivery_id: string,
  event: DeliveryEvent,
  { now, ...facts }: Facts & { readonly now: Date },
): Promise<boolean> {
  const verdict: DeliveryVerdict = deliveryMachine.to(event)
  const { numUpdatedRows } = await db
    .updateTable('channel_deliveries')
    .set({
      verdict,
      reason: null,
      ...facts,
      judged_at: now,
      retry_at: verdict === 'pending' ? now : null,
      ...(verdict === 'pending' ? { attempts: 0 } : {}),
    })
    .where('delivery_id', '=', delivery_id)
    .where('verdict', 'in', deliveryMachine.from(event))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It could not be worked: tried again then. `counts` where the try was one of those that are given up one day. */
export async function putOff(
  db: Db,
  delivery_id: string,
  {
    retry_at,
    reason,
    counts,
  }: { readonly retry_at: Date; readonly reason: string; readonly counts: boolean },
): Promise<void> {
  await db
    .updateTable('channel_deliveries')
    .set((eb) => ({ attempts: eb('attempts', '+', counts ? 1 : 0), retry_at, reason }))
    .where('delivery_id', '=', delivery_id)
    .where('verdict', '=', 'pending')
    .execute()
}

/** No other worker takes it up before then. */
export async function keepUntil(db: Db, delivery_id: string, until: Date): Promise<void> {
  await db
    .updateTable('channel_deliveries')
    .set({ retry_at: until })
    .where('delivery_id', '=', delivery_id)
    .where('verdict', '=', 'pending')
    .execute()
}

/** Messages of a sender that wait for a link; they come again once there is one. How many. */
export async function releaseHeld(
  tx: Db,
  sender: {
    readonly channel_ids: readonly string[]
    readonly tenant: string
    readonly external_user: string
  },
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<number> {
  if (sender.channel_ids.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('channel_deliveries')
    .set({ verdict: deliveryMachine.to('release'), reason: null, retry_at: now, judged_at: now, attempts: 0 })
    .where('channel_id', 'in', sender.channel_ids)
    .where('sender', '=', sender.external_user)
    .where(sql<boolean>`body -> 'sender' ->> 'tenant' = ${sender.tenant}`)
    .where('verdict', '=', 'held')
    .where('judged_at', '>', since)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends what waited for too long; those that were asked about. */
export async function expire(
  db: Db,
  {
    held_before,
    asked_before,
    now,
  }: { readonly held_before: Date; readonly asked_before: Date; readonly now: Date },
): Promise<Pick<ChannelDeliveryRow, 'delivery_id' | 'thread_id' | 'reason'>[]> {
  return db
    .updateTable('channel_deliveries')
    .set({
      reason: sql`case when verdict = 'held' then 'link_expired' else 'not_answered' end`,
      verdict: deliveryMachine.to('refuse'),
      judged_at: now,
    })
    .where((where) =>
      where.or([
        where.and([where('verdict', '=', 'held'), where('judged_at', '<=', held_before)]),
        where.and([where('verdict', '=', 'asked'), where('judged_at', '<=', asked_before)]),
      ]),
    )
    .returning(['delivery_id', 'thread_id', 'reason'])
    .execute()
}

/** The number of messages of its sender before it, since then, that were meant for an agent. */
export async function countBefore(
  db: Db,
  { channel_id, sender, position }: Pick<ChannelDeliveryRow, 'channel_id' | 'sender' | 'position'>,
  since: Date,
): Promise<number> {
  const { n } = await db
    .selectFrom('channel_deliveries')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('channel_id', '=', channel_id)
    .where('sender', '=', sender)
    .where('kind', '=', 'message')
    .where('received_at', '>', since)
    .where('position', '<', position)
    .where('verdict', '<>', 'ignored')
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The last message of a thread that its agent was given, by its name on the platform. */
export async function lastPrompt(db: Db, thread_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('channel_deliveries')
    .select(sql<string | null>`body ->> 'ref'`.as('ref'))
    .where('thread_id', '=', thread_id)
    .where('kind', '=', 'message')
    .where('verdict', '=', 'accepted')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ref ?? null
}

/** The message under that name. */
export async function findMessage(
  db: Db,
  { channel_id, message_key }: { readonly channel_id: string; readonly message_key: string },
): Promise<ChannelDeliveryRow | undefined> {
  return db
    .selectFrom('channel_deliveries')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('message_key', '=', message_key)
    .executeTakeFirst()
}

/** A page of what came in, the newest first. */
export async function list(
  db: Db,
  channel_id: string,
  query: {
    readonly limit: number
    readonly before?: number | undefined
    readonly verdict?: DeliveryVerdict | undefined
  },
): Promise<ChannelDeliveryRow[]> {
  return db
    .selectFrom('channel_deliveries')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('body', 'is not', null)
    .$if(query.before !== undefined, (rows) => rows.where('position', '<', query.before ?? 0))
    .$if(query.verdict !== undefined, (rows) => rows.where('verdict', '=', query.verdict ?? 'pending'))
    .orderBy('position', 'desc')
    .limit(query.limit)
    .execute()
}

/** Removes the words of old ones, and of older ones everything. How many rows were touched. */
export async function forget(
  db: Db,
  { words_before, all_before }: { readonly words_before: Date; readonly all_before: Date },
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with old as (
      select delivery_id from channel_deliveries
      where received_at < ${words_before} and body is not null and verdict not in ('pending', 'held', 'asked')
      order by received_at limit ${limit}
    ), emptied as (
      update channel_deliveries set body = null where delivery_id in (select delivery_id from old) returning 1
    ), gone as (
      delete from channel_deliveries where delivery_id in (
        select delivery_id from channel_deliveries where received_at < ${all_before} order by received_at limit ${limit})
      returning 1
    )
    select 1 from emptied union all select 1 from gone`.execute(db)
  return rows.length
}
