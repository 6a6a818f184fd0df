import { sql } from 'kysely'
import { accountsThatAsk } from '../accounts/account-sso.ts'
import type { Db } from '../database.ts'
import { filledQuery } from '../kit/fixed-query.ts'
import { prepared } from '../kit/prepared.ts'
import type { SignInEndReason, SignInMethod, SignInRow, SignInTokenRow } from './sign-ins.table.ts'

export type NewSignIn = Omit<SignInRow, 'ended_at' | 'end_reason' | 'sso_account_id'> &
  Partial<Pick<SignInRow, 'sso_account_id'>>

export async function insert(tx: Db, sign_in: NewSignIn): Promise<void> {
  await tx
    .insertInto('sign_ins')
    .values({ sso_account_id: null, ...sign_in, ended_at: null, end_reason: null })
    .execute()
}

export async function insertTokens(
  tx: Db,
  tokens: readonly Omit<SignInTokenRow, 'spent_at'>[],
): Promise<void> {
  await tx
    .insertInto('sign_in_tokens')
    .values(tokens.map((token) => ({ ...token, spent_at: null })))
    .execute()
}

export interface FoundSignIn {
  readonly sign_in_id: string
  readonly user_id: string
  readonly method: SignInMethod
  readonly mfa: boolean
  readonly sso_account_id: string | null
  readonly expires_at: Date
  readonly ended_at: Date | null
  readonly token_expires_at: Date
  readonly spent_at: Date | null
  /** The accounts of the person that ask for a second factor. */
  readonly mfa_accounts: readonly string[]
  /** The accounts that ask people of this address to come by their provider, as this sign-in did not. */
  readonly sso_accounts: readonly string[]
}

const mfaAccounts = sql<string[]>`array(
  select accounts.account_id from account_members join accounts using (account_id)
  where account_members.user_id = sign_ins.user_id and accounts.mfa_required)`

const ssoAccounts = accountsThatAsk({
  user_id: sql.ref<string>('sign_ins.user_id'),
  sso_account_id: sql.ref<string | null>('sign_ins.sso_account_id'),
  mfa: sql.ref<boolean>('sign_ins.mfa'),
})

/** The sign-in that a token belongs to, whatever has become of either. */
export async function findByToken(
  db: Db,
  token_hash: Buffer,
  kind: 'access' | 'refresh',
): Promise<FoundSignIn | undefined> {
  const [found] = await byToken[kind](db, new Map([[anyHash, token_hash]]))
  return found
}

/** A placeholder. */
const anyHash = Buffer.alloc(0)

const ofToken = (kind: 'access' | 'refresh') =>
  filledQuery<FoundSignIn>((db) =>
    db
      .selectFrom('sign_in_tokens')
      .innerJoin('sign_ins', 'sign_ins.sign_in_id', 'sign_in_tokens.sign_in_id')
      .select(['sign_ins.sign_in_id', 'sign_ins.user_id', 'method', 'mfa', 'sso_account_id'])
      .select(['sign_ins.expires_at', 'ended_at'])
      .select(['sign_in_tokens.expires_at as token_expires_at', 'spent_at'])
      .select([mfaAccounts.as('mfa_accounts'), ssoAccounts.as('sso_accounts')])
      .modifyFront(prepared)
      .where('token_hash', '=', anyHash)
      .where('kind', '=', kind)
      .compile(),
  )

const byToken = { access: ofToken('access'), refresh: ofToken('refresh') }

/** A sign-in by its id, whatever has become of it. */
export async function find(
  db: Db,
  sign_in_id: string,
): Promise<Omit<FoundSignIn, 'token_expires_at' | 'spent_at'> | undefined> {
  return db
    .selectFrom('sign_ins')
    .select(['sign_in_id', 'user_id', 'method', 'mfa', 'sso_account_id', 'expires_at', 'ended_at'])
    .select([mfaAccounts.as('mfa_accounts'), ssoAccounts.as('sso_accounts')])
    .modifyFront(prepared)
    .where('sign_in_id', '=', sign_in_id)
    .executeTakeFirst()
}

/** Spends every token of a sign-in that goes on in a browser; false: another request was first. */
export async function spendAll(tx: Db, sign_in_id: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_tokens')
    .where('sign_in_id', '=', sign_in_id)
    .where('kind', '=', 'access')
    .executeTakeFirst()
  await tx
    .updateTable('sign_in_tokens')
    .set({ spent_at: now })
    .where('sign_in_id', '=', sign_in_id)
    .where('kind', '=', 'refresh')
    .where('spent_at', 'is', null)
    .execute()
  return numDeletedRows > 0n
}

/** Exchanges a refresh token, once; false: it was exchanged before, or its sign-in is over. */
export async function spend(tx: Db, token_hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sign_in_tokens')
    .set({ spent_at: now })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', 'refresh')
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .where('sign_in_id', 'in', (eb) =>
      eb
        .selectFrom('sign_ins')
        .select('sign_in_id')
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False: it had ended before. */
export async function end(
  db: Db,
  sign_in_id: string,
  end_reason: SignInEndReason,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sign_ins')
    .set({ ended_at: now, end_reason })
    .where('sign_in_id', '=', sign_in_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All sign-ins of a person, but for the one that is kept. */
export async function endOfUser(
  db: Db,
  owner: { readonly user_id: string; readonly keep?: string | undefined },
  end_reason: SignInEndReason,
  now: Date,
): Promise<void> {
  let query = db
    .updateTable('sign_ins')
    .set({ ended_at: now, end_reason })
    .where('user_id', '=', owner.user_id)
    .where('ended_at', 'is', null)
  if (owner.keep !== undefined) query = query.where('sign_in_id', '<>', owner.keep)
  await query.execute()
}

/** The sign-ins that a provider of an account opened, once it is another one. */
export async function endOfSso(tx: Db, sso_account_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({ ended_at: now, end_reason: 'revoked' })
    .where('sso_account_id', '=', sso_account_id)
    .where('ended_at', 'is', null)
    .execute()
}

export async function setMfa(
  db: Db,
  key: { readonly user_id: string; readonly sign_in_id?: string },
  mfa: boolean,
): Promise<void> {
  let query = db.updateTable('sign_ins').set({ mfa }).where('user_id', '=', key.user_id)
  if (key.sign_in_id !== undefined) query = query.where('sign_in_id', '=', key.sign_in_id)
  await query.execute()
}

/** Deletes access tokens that ended a day ago, and whole sign-ins that ended a week ago: no client needs them. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  const day = 86_400_000
  await db
    .deleteFrom('sign_in_tokens')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('sign_in_tokens')
        .select('token_hash')
        .where('kind', '=', 'access')
        .where('expires_at', '<', new Date(now.getTime() - day))
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  await db
    .deleteFrom('sign_ins')
    .where('sign_in_id', 'in', (eb) =>
      eb
        .selectFrom('sign_ins')
        .select('sign_in_id')
        .where('expires_at', '<', new Date(now.getTime() - 7 * day))
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
