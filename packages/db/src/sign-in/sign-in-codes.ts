import type { Db } from '../database.ts'
import type { SignInCodePurpose, SignInCodeRow } from './sign-ins.table.ts'

/** Replaces what was sent to the address for this purpose before. */
export async function put(db: Db, code: Omit<SignInCodeRow, 'used_at'>): Promise<void> {
  const { email: _, purpose: __, ...fresh } = code
  await db
    .insertInto('sign_in_codes')
    .values({ ...code, used_at: null })
    .onConflict((conflict) => conflict.columns(['email', 'purpose']).doUpdateSet({ ...fresh, used_at: null }))
    .execute()
}

const open = (db: Db, now: Date) =>
  db
    .updateTable('sign_in_codes')
    .where('used_at', 'is', null)
    .where('attempts_left', '>', 0)
    .where('expires_at', '>', now)

/** Takes one of the attempts that a code allows, before the caller compares the code. */
export async function attempt(
  db: Db,
  key: { readonly email: string; readonly purpose: SignInCodePurpose },
  now: Date,
): Promise<SignInCodeRow | undefined> {
  return open(db, now)
    .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
    .where('email', '=', key.email)
    .where('purpose', '=', key.purpose)
    .returningAll()
    .executeTakeFirst()
}

/** The same for a person who has the link. */
export async function attemptLink(
  db: Db,
  key: { readonly link_hash: Buffer; readonly purpose: SignInCodePurpose },
  now: Date,
): Promise<SignInCodeRow | undefined> {
  return open(db, now)
    .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
    .where('link_hash', '=', key.link_hash)
    .where('purpose', '=', key.purpose)
    .returningAll()
    .executeTakeFirst()
}

/** Uses the code once; false: another request was first, or a newer code took its place. */
export async function use(tx: Db, code_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sign_in_codes')
    .set({ used_at: now })
    .where('code_id', '=', code_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_codes')
    .where('code_id', 'in', (eb) =>
      eb
        .selectFrom('sign_in_codes')
        .select('code_id')
        .where('expires_at', '<', now)
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
