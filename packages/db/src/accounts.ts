import type { AccountRole } from '@svc/access'
import type { AccountRow, UserRow } from './accounts.table.ts'
import type { Db } from './database.ts'

export interface Membership extends AccountRow {
  readonly role: AccountRole
}

export async function createWithOwner(db: Db, account: AccountRow, user: UserRow): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('accounts').values(account).execute()
    await tx.insertInto('users').values(user).execute()
    await tx
      .insertInto('account_members')
      .values({
        account_id: account.account_id,
        user_id: user.user_id,
        role: 'owner',
        created_at: account.created_at,
      })
      .execute()
  })
}

export async function findUser(db: Db, user_id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('user_id', '=', user_id).executeTakeFirst()
}

/** The accounts of a person, oldest first. */
export async function listMemberships(db: Db, user_id: string): Promise<Membership[]> {
  return db
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
    .select([
      'accounts.account_id',
      'accounts.name',
      'accounts.tier',
      'accounts.created_at',
      'account_members.role',
    ])
    .where('account_members.user_id', '=', user_id)
    .orderBy('account_members.created_at')
    .orderBy('accounts.account_id')
    .execute()
}

/** Locks the account's row, so that what is counted stays true until the transaction ends. */
export async function lock(tx: Db, account_id: string): Promise<AccountRow | undefined> {
  return tx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
