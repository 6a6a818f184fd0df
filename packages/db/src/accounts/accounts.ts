import type { AccountRole, Entitlement } from '@svc/access'
import { sql, type Updateable } from 'kysely'
import type { AccountRow, AccountTable, NewAccount, NewUser, UserRow } from './accounts.table.ts'
import type { Db } from '../database.ts'

export interface Membership extends AccountRow {
  readonly role: AccountRole
}

export async function createWithOwner(db: Db, account: NewAccount, user: NewUser): Promise<void> {
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

/** False: another user has the address. */
export async function insertUser(tx: Db, user: NewUser): Promise<boolean> {
  const row = await tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** An account for a person who is there. */
export async function insertOwned(tx: Db, account: NewAccount, user_id: string): Promise<void> {
  const { account_id, created_at } = account
  await tx.insertInto('accounts').values(account).execute()
  await tx.insertInto('account_members').values({ account_id, user_id, role: 'owner', created_at }).execute()
}

export async function findUser(db: Db, user_id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('user_id', '=', user_id).executeTakeFirst()
}

export async function renameUser(tx: Db, user_id: string, name: string): Promise<void> {
  await tx.updateTable('users').set({ name }).where('user_id', '=', user_id).execute()
}

/** The accounts of a person, oldest first. */
export async function listMemberships(db: Db, user_id: string): Promise<Membership[]> {
  return db
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
    .selectAll('accounts')
    .select('account_members.role')
    .where('account_members.user_id', '=', user_id)
    .orderBy('account_members.created_at')
    .orderBy('accounts.account_id')
    .execute()
}

export async function find(db: Db, account_id: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

export interface AccountWithPlan extends AccountRow {
  readonly entitlements: readonly Entitlement[]
  readonly session_cap: number
}

function withPlan(db: Db) {
  return db
    .selectFrom('accounts')
    .innerJoin('plans', 'plans.tier', 'accounts.tier')
    .selectAll('accounts')
    .select(['plans.entitlements', 'plans.session_cap'])
}

export async function findWithPlan(db: Db, account_id: string): Promise<AccountWithPlan | undefined> {
  return withPlan(db).where('account_id', '=', account_id).executeTakeFirst()
}

/** Locks the account's row, so that counts stay true until the transaction ends. */
export async function lock(tx: Db, account_id: string): Promise<AccountWithPlan | undefined> {
  return withPlan(tx).where('account_id', '=', account_id).forNoKeyUpdate('accounts').executeTakeFirst()
}

/** An account as one person meets it: with their role, null when they do not belong to it. */
export async function findForUser(
  db: Db,
  account_id: string,
  user_id: string,
): Promise<(AccountWithPlan & { readonly role: AccountRole | null }) | undefined> {
  return withPlan(db)
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'accounts.account_id')
        .on('account_members.user_id', '=', user_id),
    )
    .select('account_members.role')
    .where('accounts.account_id', '=', account_id)
    .executeTakeFirst()
}

export async function update(
  db: Db,
  account_id: string,
  patch: Updateable<AccountTable>,
): Promise<AccountRow | undefined> {
  return db
    .updateTable('accounts')
    .set(patch)
    .where('account_id', '=', account_id)
    .returningAll()
    .executeTakeFirst()
}

/** Its active projects; the caller holds the row of the account. */
export async function countProjects(tx: Db, account_id: string): Promise<number> {
  const { n } = await tx
    .selectFrom('projects')
    .select(sql<number>`count(*)::integer`.as('n'))
    .where('account_id', '=', account_id)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return n
}
