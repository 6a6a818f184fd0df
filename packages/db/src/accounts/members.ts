import type { AccountRole } from '@svc/access'
import type { Db } from '../database.ts'

export interface AccountMember {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  readonly created_at: Date
}

export async function list(db: Db, account_id: string): Promise<AccountMember[]> {
  return db
    .selectFrom('account_members')
    .innerJoin('users', 'users.user_id', 'account_members.user_id')
    .select(['users.user_id', 'email', 'name', 'role', 'account_members.created_at'])
    .where('account_id', '=', account_id)
    .orderBy('account_members.created_at')
    .orderBy('users.user_id')
    .execute()
}

export interface AccountMemberKey {
  readonly account_id: string
  readonly user_id: string
}

export async function find(db: Db, key: AccountMemberKey): Promise<AccountMember | undefined> {
  return db
    .selectFrom('account_members')
    .innerJoin('users', 'users.user_id', 'account_members.user_id')
    .select(['users.user_id', 'email', 'name', 'role', 'account_members.created_at'])
    .where('account_id', '=', key.account_id)
    .where('account_members.user_id', '=', key.user_id)
    .executeTakeFirst()
}

export async function countOwners(tx: Db, account_id: string): Promise<number> {
  const row = await tx
    .selectFrom('account_members')
    .select((eb) => eb.fn.countAll<number>().as('owners'))
    .where('account_id', '=', account_id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return row.owners
}

/** False: the person belongs to the account already. */
export async function add(
  tx: Db,
  member: AccountMemberKey & { readonly role: AccountRole; readonly created_at: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('account_members')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setRole(tx: Db, key: AccountMemberKey, role: AccountRole): Promise<void> {
  await tx
    .updateTable('account_members')
    .set({ role, from_directory: false })
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .execute()
}

/** With every role on the account's projects. */
export async function remove(tx: Db, { account_id, user_id }: AccountMemberKey): Promise<void> {
  await tx
    .deleteFrom('project_members')
    .where('user_id', '=', user_id)
    .where('project_id', 'in', (eb) =>
      eb.selectFrom('projects').select('project_id').where('account_id', '=', account_id),
    )
    .execute()
  await tx
    .deleteFrom('account_members')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** The owner of the oldest membership: on an embedded platform, the person who started it. */
export async function findFirstOwner(db: Db): Promise<AccountMemberKey | undefined> {
  return db
    .selectFrom('account_members')
    .select(['account_id', 'user_id'])
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst()
}
