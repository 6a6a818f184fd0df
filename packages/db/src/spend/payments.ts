import type { Db } from '../database.ts'

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
