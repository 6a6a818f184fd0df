import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { PushSubscriptionRow, PushSubscriptionTable } from './notifications.table.ts'

/** Oldest first. */
export async function list(db: Db, user_id: string): Promise<PushSubscriptionRow[]> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('subscription_id')
    .execute()
}

/** A browser has one endpoint: it belongs to whom it was subscribed for last. */
export async function put(tx: Db, row: Insertable<PushSubscriptionTable>): Promise<PushSubscriptionRow> {
  const { user_id, p256dh, auth } = row
  return tx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ user_id, p256dh, auth, failures: 0 }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function remove(db: Db, user_id: string, endpoint: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', user_id)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function drop(db: Db, subscription_id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('subscription_id', '=', subscription_id).execute()
}

export async function clearFailures(db: Db, subscription_id: string): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ failures: 0 })
    .where('subscription_id', '=', subscription_id)
    .where('failures', '>', 0)
    .execute()
}

/** The number of failures in a row, with this one. */
export async function countFailure(db: Db, subscription_id: string): Promise<number> {
  const row = await db
    .updateTable('push_subscriptions')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('subscription_id', '=', subscription_id)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}
