import type { Db } from '../database.ts'
import type { ServiceAccountRow } from './service-accounts.table.ts'

export interface NamedServiceAccount extends ServiceAccountRow {
  readonly name: string
}

export interface ServiceAccountKey {
  readonly account_id: string
  readonly service_account_id: string
}

export async function insert(
  tx: Db,
  account: Omit<NamedServiceAccount, 'deleted_at'>,
): Promise<NamedServiceAccount> {
  const { name, ...row } = account
  const user_id = row.service_account_id
  // Not an address to sign in with: the column only needs a unique one for each user.
  const email = `${user_id}@service-account.svc.invalid`
  await tx.insertInto('users').values({ user_id, email, name, created_at: row.created_at }).execute()
  await tx
    .insertInto('service_accounts')
    .values({ ...row, deleted_at: null })
    .execute()
  return { ...account, deleted_at: null }
}

function named(db: Db, account_id: string) {
  return db
    .selectFrom('service_accounts')
    .innerJoin('users', 'users.user_id', 'service_accounts.service_account_id')
    .selectAll('service_accounts')
    .select('users.name')
    .where('account_id', '=', account_id)
    .where('deleted_at', 'is', null)
}

export async function list(db: Db, account_id: string): Promise<NamedServiceAccount[]> {
  return named(db, account_id).orderBy('users.name').orderBy('service_account_id').execute()
}

export async function find(db: Db, key: ServiceAccountKey): Promise<NamedServiceAccount | undefined> {
  return named(db, key.account_id).where('service_account_id', '=', key.service_account_id).executeTakeFirst()
}

/** Holds it until the transaction ends: no key is minted for one that goes. */
export async function lock(tx: Db, key: ServiceAccountKey): Promise<ServiceAccountRow | undefined> {
  return tx
    .selectFrom('service_accounts')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('service_account_id', '=', key.service_account_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** The row stays, for what it did still names it. */
export async function remove(tx: Db, { service_account_id }: ServiceAccountKey, now: Date): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({ deleted_at: now })
    .where('service_account_id', '=', service_account_id)
    .execute()
  await tx.deleteFrom('project_members').where('user_id', '=', service_account_id).execute()
}
