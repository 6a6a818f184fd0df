import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { BillingSubscriptionTable } from './payments.table.ts'

interface Event {
  readonly adapter: string
  readonly event_id: string
  readonly account_id: string | null
  readonly at: Date
}

/** True for the first who takes the event; a second one waits for the end of that transaction. */
export async function take(tx: Db, event: Event): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_events')
    .values(event)
    .onConflict((conflict) => conflict.columns(['adapter', 'event_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The account whose customer it is at the payment provider. */
export async function findAccount(db: Db, adapter: string, customer_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('billing_customers')
    .select('account_id')
    .where('adapter', '=', adapter)
    .where('customer_id', '=', customer_id)
    .executeTakeFirst()
  return row?.account_id
}

/** Remembers whose customer it is; the account that was first stays. */
export async function keepCustomer(
  tx: Db,
  customer: { readonly adapter: string; readonly customer_id: string; readonly account_id: string },
  created_at: Date,
): Promise<void> {
  await tx
    .insertInto('billing_customers')
    .values({ ...customer, created_at })
    .onConflict((conflict) => conflict.columns(['adapter', 'customer_id']).doNothing())
    .execute()
}

type Subscription = Selectable<BillingSubscriptionTable>

/**
 * Keeps the word of an event on its subscription; false where a newer one was there. Of two of one instant, as Stripe's
 * seconds are, the end stays the end.
 */
export async function keepSubscription(tx: Db, given: Subscription): Promise<boolean> {
  const { account_id, billing_state, tier, event_at } = given
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_subscriptions')
    .values(given)
    .onConflict((conflict) =>
      conflict
        .columns(['adapter', 'subscription_id'])
        .doUpdateSet({ account_id, billing_state, tier, event_at })
        .where((eb) =>
          eb.or([
            eb('billing_subscriptions.event_at', '<', event_at),
            eb.and([
              eb('billing_subscriptions.event_at', '=', event_at),
              eb('billing_subscriptions.billing_state', '<>', 'canceled'),
            ]),
          ]),
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The subscription that an account goes by: one that is paid before one that is not, then the newest. */
export async function bestSubscription(
  tx: Db,
  account_id: string,
): Promise<Pick<Subscription, 'billing_state' | 'tier'> | undefined> {
  return tx
    .selectFrom('billing_subscriptions')
    .select(['billing_state', 'tier'])
    .where('account_id', '=', account_id)
    .orderBy(sql`array_position(array['active', 'past_due', 'canceled'], billing_state)`)
    .orderBy('event_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
