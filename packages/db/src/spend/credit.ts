import type { BillingState, LedgerKind } from '@svc/facts'
import { sql } from 'kysely'
import type { CreditAccountRow, CreditLedgerRow } from './credit.table.ts'
import type { Db } from '../database.ts'

export async function find(db: Db, account_id: string): Promise<CreditAccountRow | undefined> {
  return db.selectFrom('credit_accounts').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

/** Makes the credit of an account where there is none, and locks it. */
export async function open(tx: Db, account_id: string, now: Date): Promise<CreditAccountRow> {
  await tx
    .insertInto('credit_accounts')
    .values({ account_id, billing_state: 'exhausted', created_at: now, updated_at: now, granted_month: null })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return tx
    .selectFrom('credit_accounts')
    .selectAll()
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function findEntry(
  db: Db,
  account_id: string,
  idempotency_key: string,
): Promise<CreditLedgerRow | undefined> {
  return db
    .selectFrom('credit_ledger')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst()
}

export interface NewEntry {
  readonly entry_id: string
  readonly account_id: string
  readonly at: Date
  readonly kind: Exclude<LedgerKind, 'usage'>
  readonly amount_micros: number
  readonly reason: string
  readonly idempotency_key: string | null
}

/** Adds to the ledger and the balance; the credit is locked. What was exhausted is active again once something is there. */
export async function addEntry(tx: Db, entry: NewEntry): Promise<CreditLedgerRow> {
  const { amount_micros } = entry
  const { balance_micros: balance_after_micros } = await tx
    .updateTable('credit_accounts')
    .set({
      balance_micros: sql`balance_micros + ${amount_micros}`,
      billing_state: sql<BillingState>`case
        when billing_state = 'exhausted' and balance_micros + ${amount_micros} > 0 then 'active'
        when billing_state = 'active' and balance_micros + ${amount_micros} <= 0 then 'exhausted'
        else billing_state end`,
      updated_at: entry.at,
    })
    .where('account_id', '=', entry.account_id)
    .returning('balance_micros')
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('credit_ledger')
    .values({ ...entry, balance_after_micros, call_id: null, project_id: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Sets whether it pays; what is asked to be active and has nothing left is exhausted. The state that it has now; undefined
 * where there is no credit.
 */
export async function setState(
  tx: Db,
  account_id: string,
  state: Exclude<BillingState, 'exhausted'>,
  now: Date,
): Promise<BillingState | undefined> {
  const row = await tx
    .updateTable('credit_accounts')
    .set({
      billing_state:
        state === 'active'
          ? sql<BillingState>`case when balance_micros > 0 then 'active' else 'exhausted' end`
          : state,
      updated_at: now,
    })
    .where('account_id', '=', account_id)
    .returning('billing_state')
    .executeTakeFirst()
  return row?.billing_state
}

/** Entries of the ledger, the newest first. */
export async function listEntries(
  db: Db,
  account_id: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<CreditLedgerRow[]> {
  let query = db.selectFrom('credit_ledger').selectAll().where('account_id', '=', account_id)
  if (before !== undefined) query = query.where('position', '<', before)
  return query.orderBy('position', 'desc').limit(limit).execute()
}
