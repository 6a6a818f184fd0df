import type { ProjectRole } from '@svc/access'
import type { Updateable } from 'kysely'
import type { AccountRoleRow, AccountRoleTable } from './account-roles.table.ts'
import type { Db } from '../database.ts'

export interface RoleKey {
  readonly account_id: string
  readonly role_id: string
}

export async function insert(tx: Db, role: AccountRoleRow): Promise<AccountRoleRow | undefined> {
  return tx
    .insertInto('account_roles')
    .values(role)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function list(db: Db, account_id: string): Promise<AccountRoleRow[]> {
  return db
    .selectFrom('account_roles')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('name')
    .execute()
}

export async function find(db: Db, key: RoleKey): Promise<AccountRoleRow | undefined> {
  return db
    .selectFrom('account_roles')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('role_id', '=', key.role_id)
    .executeTakeFirst()
}

export async function update(
  tx: Db,
  key: RoleKey,
  patch: Updateable<AccountRoleTable>,
): Promise<AccountRoleRow | undefined> {
  return tx
    .updateTable('account_roles')
    .set(patch)
    .where('account_id', '=', key.account_id)
    .where('role_id', '=', key.role_id)
    .returningAll()
    .executeTakeFirst()
}

/** A member who had the role keeps the built-in role below it. */
export async function remove(tx: Db, key: RoleKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_roles')
    .where('account_id', '=', key.account_id)
    .where('role_id', '=', key.role_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Sets the built-in role of all who have this custom role. */
export async function rebase(tx: Db, role_id: string, role: ProjectRole): Promise<void> {
  await tx.updateTable('project_members').set({ role }).where('role_id', '=', role_id).execute()
}
