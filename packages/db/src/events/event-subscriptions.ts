import type { DisabledReason } from '@svc/event/states'
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type {
  SubscriptionRow,
  SubscriptionSecretRow,
  SubscriptionSecretTable,
  SubscriptionTable,
} from './events.table.ts'

/** An account with all of its projects, or one of these. */
export interface SubscriptionScope {
  readonly account_id: string
  readonly project_id: string | null
}

export async function insert(tx: Db, row: Insertable<SubscriptionTable>): Promise<SubscriptionRow> {
  return tx.insertInto('event_subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

function scoped(db: Db, { account_id, project_id }: SubscriptionScope) {
  const rows = db.selectFrom('event_subscriptions').selectAll().where('account_id', '=', account_id)
  return project_id === null ? rows : rows.where('project_id', '=', project_id)
}

/** Oldest first. */
export async function list(db: Db, scope: SubscriptionScope): Promise<SubscriptionRow[]> {
  return scoped(db, scope).orderBy('created_at').orderBy('subscription_id').execute()
}

export async function find(
  db: Db,
  { subscription_id, ...scope }: SubscriptionScope & { readonly subscription_id: string },
): Promise<SubscriptionRow | undefined> {
  return scoped(db, scope).where('subscription_id', '=', subscription_id).executeTakeFirst()
}

/** Holds the row until the transaction ends: its deliveries are numbered, begun and ended one after the other. */
export async function lock(tx: Db, subscription_id: string): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('event_subscriptions')
    .selectAll()
    .where('subscription_id', '=', subscription_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Those that are told of events of the account, held until the transaction ends. */
export async function lockEnabled(tx: Db, account_id: string): Promise<SubscriptionRow[]> {
  return tx
    .selectFrom('event_subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('status', '=', 'enabled')
    .orderBy('subscription_id')
    .forUpdate()
    .execute()
}

/** The account's own without those of projects, or a project's. */
export async function count(tx: Db, scope: SubscriptionScope): Promise<number> {
  const rows = await scoped(tx, scope).execute()
  return rows.filter(({ project_id }) => project_id === scope.project_id).length
}

/** The columns that people set. */
export type SubscriptionPatch = Pick<
  Updateable<SubscriptionTable>,
  'url' | 'name' | 'types' | 'ordering' | 'sealed_headers' | 'header_names'
>

export async function patch(
  tx: Db,
  subscription_id: string,
  patch: SubscriptionPatch & { readonly updated_at: Date },
): Promise<void> {
  await tx
    .updateTable('event_subscriptions')
    .set(patch)
    .where('subscription_id', '=', subscription_id)
    .execute()
}

export async function enable(tx: Db, subscription_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('event_subscriptions')
    .set({
      ...{ status: 'enabled', disabled_reason: null, disabled_at: null },
      ...{ exhausted_in_a_row: 0, updated_at: now },
    })
    .where('subscription_id', '=', subscription_id)
    .where('status', '=', 'disabled')
    .execute()
}

/** False: it was disabled before. */
export async function disable(
  tx: Db,
  subscription_id: string,
  reason: DisabledReason,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('event_subscriptions')
    .set({ status: 'disabled', disabled_reason: reason, disabled_at: now, updated_at: now })
    .where('subscription_id', '=', subscription_id)
    .where('status', '=', 'enabled')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deliveries in a row that came to nothing, this one counted; a delivered one begins anew. */
export async function countExhausted(tx: Db, subscription_id: string): Promise<number> {
  const { exhausted_in_a_row } = await tx
    .updateTable('event_subscriptions')
    .set((from) => ({ exhausted_in_a_row: from('exhausted_in_a_row', '+', 1) }))
    .where('subscription_id', '=', subscription_id)
    .returning('exhausted_in_a_row')
    .executeTakeFirstOrThrow()
  return exhausted_in_a_row
}

export async function clearExhausted(tx: Db, subscription_id: string): Promise<void> {
  await tx
    .updateTable('event_subscriptions')
    .set({ exhausted_in_a_row: 0 })
    .where('subscription_id', '=', subscription_id)
    .where('exhausted_in_a_row', '>', 0)
    .execute()
}

/** With its secrets, its deliveries and what was tried. */
export async function remove(tx: Db, subscription_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('event_subscriptions')
    .where('subscription_id', '=', subscription_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertSecret(tx: Db, row: Insertable<SubscriptionSecretTable>): Promise<void> {
  await tx.insertInto('event_subscription_secrets').values(row).execute()
}

/** Those that sign at `now`, the current one first. */
export async function secrets(db: Db, subscription_id: string, now: Date): Promise<SubscriptionSecretRow[]> {
  return db
    .selectFrom('event_subscription_secrets')
    .selectAll()
    .where('subscription_id', '=', subscription_id)
    .where((where) => where.or([where('not_after', 'is', null), where('not_after', '>', now)]))
    .orderBy('created_at', 'desc')
    .execute()
}

/** Lets the current secret sign until then, and ends every one before it. */
export async function retireSecrets(tx: Db, subscription_id: string, not_after: Date): Promise<void> {
  await tx
    .deleteFrom('event_subscription_secrets')
    .where('subscription_id', '=', subscription_id)
    .where('not_after', 'is not', null)
    .execute()
  await tx
    .updateTable('event_subscription_secrets')
    .set({ not_after })
    .where('subscription_id', '=', subscription_id)
    .execute()
}
