import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import type { UserIdentityTable, UserTotpTable } from './user-credentials.table.ts'

/** A person as the sign-in meets them. */
export interface SignInUser {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly created_at: Date
  readonly password_hash: string | null
  readonly email_verified_at: Date | null
  /** True when a second factor is confirmed. */
  readonly two_factor: boolean
}

export type TotpRow = Selectable<UserTotpTable>

/** Service accounts are users that sign in with keys alone. */
function people(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('user_credentials', 'user_credentials.user_id', 'users.user_id')
    .leftJoin('user_totp', 'user_totp.user_id', 'users.user_id')
    .leftJoin('service_accounts', 'service_accounts.service_account_id', 'users.user_id')
    .select(['users.user_id', 'users.email', 'users.name', 'users.created_at'])
    .select(['password_hash', 'email_verified_at'])
    .select((eb) => eb('user_totp.confirmed_at', 'is not', null).$castTo<boolean>().as('two_factor'))
    .where('service_accounts.service_account_id', 'is', null)
}

export async function findByEmail(db: Db, email: string): Promise<SignInUser | undefined> {
  return people(db)
    .where((eb) => eb(eb.fn('lower', ['users.email']), '=', email))
    .executeTakeFirst()
}

export async function find(db: Db, user_id: string): Promise<SignInUser | undefined> {
  return people(db).where('users.user_id', '=', user_id).executeTakeFirst()
}

export async function setPassword(db: Db, user_id: string, password_hash: string, now: Date): Promise<void> {
  await db
    .insertInto('user_credentials')
    .values({ user_id, password_hash, email_verified_at: null, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash, updated_at: now }))
    .execute()
}

/** The person was found to read the mail of their address. */
export async function setVerified(db: Db, user_id: string, now: Date): Promise<void> {
  await db
    .insertInto('user_credentials')
    .values({ user_id, password_hash: null, email_verified_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ email_verified_at: now, updated_at: now }),
    )
    .execute()
}

export async function findTotp(db: Db, user_id: string): Promise<TotpRow | undefined> {
  return db.selectFrom('user_totp').selectAll().where('user_id', '=', user_id).executeTakeFirst()
}

/** Begins again what was not confirmed; false: a second factor is confirmed already. */
export async function offerTotp(
  db: Db,
  totp: Pick<TotpRow, 'user_id' | 'sealed_data_key' | 'sealed_secret' | 'created_at'>,
): Promise<boolean> {
  const { user_id: _, ...sealed } = totp
  const row = await db
    .insertInto('user_totp')
    .values({ ...totp, confirmed_at: null, last_step: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(sealed).where('user_totp.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False: nothing waits to be confirmed, or it is another secret by now. */
export async function confirmTotp(
  tx: Db,
  { user_id, sealed_secret }: Pick<TotpRow, 'user_id' | 'sealed_secret'>,
  step: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_totp')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', user_id)
    .where('sealed_secret', '=', sealed_secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the code of a time step, once; false: it or a later one was taken before. */
export async function takeStep(db: Db, user_id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** With the recovery codes. */
export async function removeTotp(db: Db, user_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_totp')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(
  tx: Db,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom('user_recovery_codes').where('user_id', '=', user_id).execute()
  await tx
    .insertInto('user_recovery_codes')
    .values(hashes.map((code_hash) => ({ code_hash, user_id, used_at: null })))
    .execute()
}

/** Once; false: it is none of the person's, or was used. */
export async function takeRecoveryCode(
  db: Db,
  user_id: string,
  code_hash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findByIdentity(
  db: Db,
  identity: { readonly issuer: string; readonly subject: string },
): Promise<SignInUser | undefined> {
  return people(db)
    .innerJoin('user_identities', 'user_identities.user_id', 'users.user_id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
}

/** False: a user has it already. */
export async function addIdentity(db: Db, identity: UserIdentityTable): Promise<boolean> {
  const row = await db
    .insertInto('user_identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}
