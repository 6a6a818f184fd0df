import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A person who runs the platform. */
export interface PlatformAdmin {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly since: Date
}

/** Service accounts are users as well, and never run the platform. */
const people = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('service_accounts', 'service_accounts.service_account_id', 'users.user_id')
    .where('service_accounts.service_account_id', 'is', null)

const shown = (db: Db) =>
  people(db)
    .select(['users.user_id', 'users.email', 'users.name'])
    .select((eb) =>
      eb.fn.coalesce('users.platform_admin_since', 'users.created_at').$castTo<Date>().as('since'),
    )

export async function isOne(db: Db, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('platform_admin')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.platform_admin ?? false
}

/** The longest standing first. */
export async function list(db: Db): Promise<PlatformAdmin[]> {
  return shown(db)
    .where('users.platform_admin', '=', true)
    .orderBy('since')
    .orderBy('users.user_id')
    .execute()
}

export type AdminCandidate = PlatformAdmin & { readonly platform_admin: boolean }

export async function findPerson(db: Db, user_id: string): Promise<AdminCandidate | undefined> {
  return shown(db).select('platform_admin').where('users.user_id', '=', user_id).executeTakeFirst()
}

/** The person whose address it is: one who proved it, or who is an admin already. */
export async function findByAddress(db: Db, email: string): Promise<AdminCandidate | undefined> {
  return shown(db)
    .select('platform_admin')
    .leftJoin('user_credentials', 'user_credentials.user_id', 'users.user_id')
    .where((eb) => eb(eb.fn('lower', ['users.email']), '=', email))
    .where((eb) => eb.or([eb('platform_admin', '=', true), eb('email_verified_at', 'is not', null)]))
    .executeTakeFirst()
}

/** False: the person is one already. */
export async function add(tx: Db, user_id: string, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ platform_admin: true, platform_admin_since: since })
    .where('user_id', '=', user_id)
    .where('platform_admin', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The answer to a removal; `last` leaves the person one. */
export type Removal = 'removed' | 'none' | 'last'

export async function remove(tx: Db, user_id: string): Promise<Removal> {
  await lockAll(tx)
  const { rows } = await sql<{ removed: boolean; is_one: boolean }>`
    with gone as (
      update users set platform_admin = false, platform_admin_since = null
      where user_id = ${user_id} and platform_admin
        and exists (select from users other where other.platform_admin and other.user_id <> ${user_id})
      returning user_id
    )
    select exists (select from gone) as removed,
      exists (select from users where user_id = ${user_id} and platform_admin) as is_one`.execute(tx)
  const { removed = false, is_one = false } = rows[0] ?? {}
  return removed ? 'removed' : is_one ? 'last' : 'none'
}

/** Makes the person one when no account is there but theirs; false when there are others. */
export async function addFirst(
  tx: Db,
  { user_id, account_id }: { readonly user_id: string; readonly account_id: string },
  since: Date,
): Promise<boolean> {
  if (!(await isOnlyAccount(tx, account_id))) return false
  await lockAll(tx)
  return (await isOnlyAccount(tx, account_id)) && add(tx, user_id, since)
}

async function isOnlyAccount(tx: Db, account_id: string): Promise<boolean> {
  const other = await tx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '<>', account_id)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/** Until the transaction ends no other removes one, nor becomes the first. */
async function lockAll(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('platform-admins', 0))`.execute(tx)
}
