import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { NotificationRow, NotificationTable } from './notifications.table.ts'

/** A statement of PostgreSQL takes 65,535 parameters. */
const insertAtOnce = 1_000

/** Writes notifications; one that the person has already is left alone. The number of new ones. */
export async function insert(tx: Db, rows: readonly Insertable<NotificationTable>[]): Promise<number> {
  let count = 0
  for (let from = 0; from < rows.length; from += insertAtOnce) {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('notifications')
      .values(rows.slice(from, from + insertAtOnce))
      .onConflict((conflict) => conflict.columns(['user_id', 'event_id', 'kind']).doNothing())
      .executeTakeFirst()
    count += Number(numInsertedOrUpdatedRows)
  }
  return count
}

export interface NotificationQuery {
  readonly user_id: string
  readonly unread: boolean
  /** Of the last one of the page before. */
  readonly before: number | null
  readonly limit: number
}

/** Those that the list shows, the newest first. */
export async function list(
  db: Db,
  { user_id, unread, before, limit }: NotificationQuery,
): Promise<NotificationRow[]> {
  let rows = db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('in_app', '=', true)
  if (unread) rows = rows.where('read_at', 'is', null)
  if (before !== null) rows = rows.where('position', '<', before)
  return rows.orderBy('position', 'desc').limit(limit).execute()
}

/** Of those that the list shows. */
export async function countUnread(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('in_app', '=', true)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The person's own alone: these ids, those of a session, or all. */
export type ReadWish =
  { readonly ids: readonly string[] } | { readonly session_id: string } | { readonly all: true }

/** The number of those that were unread. */
export async function markRead(db: Db, user_id: string, wish: ReadWish, now: Date): Promise<number> {
  let rows = db
    .updateTable('notifications')
    .set({ read_at: now, push_at: null })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
  if ('ids' in wish) rows = rows.where('notification_id', 'in', wish.ids)
  if ('session_id' in wish) rows = rows.where('session_id', '=', wish.session_id)
  const { numUpdatedRows } = await rows.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Says that a page shows the session to the person until then. */
export async function putPresence(
  db: Db,
  presence: { readonly user_id: string; readonly session_id: string; readonly until: Date },
): Promise<void> {
  const { until } = presence
  await db
    .insertInto('session_presence')
    .values(presence)
    .onConflict((conflict) => conflict.columns(['user_id', 'session_id']).doUpdateSet({ until }))
    .execute()
}

/** Takes notifications whose push is due, each for a while in which no other worker does. */
export async function claimPushes(
  db: Db,
  { now, lease_ms, limit }: { readonly now: Date; readonly lease_ms: number; readonly limit: number },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    update notifications n set push_at = ${new Date(now.getTime() + lease_ms)}
    from (select notification_id from notifications where push_at <= ${now}
      order by push_at limit ${limit} for update skip locked) due
    where n.notification_id = due.notification_id returning n.*`.execute(db)
  return rows
}

export async function endPush(db: Db, notification_id: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ push_at: null })
    .where('notification_id', '=', notification_id)
    .execute()
}

/** Removes notifications from before, and what is left of pages that were closed; how many notifications. */
export async function forget(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  await db.deleteFrom('session_presence').where('until', '<', now).execute()
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('notification_id', 'in', (from) =>
      from
        .selectFrom('notifications')
        .select('notification_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirst()
  await db.deleteFrom('notification_digests').where('created_at', '<', before).execute()
  return Number(numDeletedRows)
}

/** The keys of the deployment, once they are made. */
export async function findKeys(db: Db) {
  return db.selectFrom('notification_keys').selectAll().executeTakeFirst()
}

/** Of two processes that make them at once, the first one's count for both. */
export async function insertKeys(
  db: Db,
  keys: { readonly sealed_key: string; readonly sealed_value: string; readonly created_at: Date },
) {
  await db
    .insertInto('notification_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('notification_keys').selectAll().executeTakeFirstOrThrow()
}
