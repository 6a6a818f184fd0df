import { sql } from 'kysely'
import { accountsThatAsk } from '../accounts/account-sso.ts'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'

export interface BearerRow {
  readonly artefact_id: string
  readonly user_id: string | null
  readonly client_id: string | null
  readonly scope: string | null
  readonly expires_at: Date
  readonly revoked_at: Date | null
  /** True when the approval behind it was given with a second factor; null when the approval has ended. */
  readonly mfa: boolean | null
  /** True when it was given with a token that the person minted. */
  readonly by_token: boolean | null
  /** The accounts of the person that ask for a second factor. */
  readonly mfa_accounts: readonly string[]
  /** The accounts that ask for their own provider, unless the approval was given with a token. */
  readonly sso_accounts: readonly string[]
}

const mfaAccounts = (user_id: string) => sql<string[]>`array(
  select accounts.account_id from account_members
  join accounts on accounts.account_id = account_members.account_id
  where account_members.user_id = ${sql.ref(user_id)} and accounts.mfa_required)`

const ssoAccounts = (user_id: string) =>
  accountsThatAsk({
    user_id: sql.ref<string>(user_id),
    sso_account_id: sql.ref<string | null>('approval.sso_account_id'),
    mfa: sql.ref<boolean | null>('approval.mfa'),
  })

/** The access token of a request, with the facts that decide whether it still works. */
export async function findBearer(db: Db, id_hash: Buffer, now: Date): Promise<BearerRow | undefined> {
  return db
    .selectFrom('oauth_artefacts as token')
    .leftJoin('oauth_artefacts as approval', (join) =>
      join
        .onRef('approval.id_hash', '=', 'token.grant_hash')
        .on('approval.model', '=', 'Grant')
        .on('approval.expires_at', '>', now),
    )
    .select([
      'token.artefact_id',
      'token.user_id',
      'token.client_id',
      'token.scope',
      'token.expires_at',
      'token.revoked_at',
    ])
    .select(['approval.mfa', 'approval.by_token'])
    .select([
      mfaAccounts('token.user_id').as('mfa_accounts'),
      ssoAccounts('token.user_id').as('sso_accounts'),
    ])
    .modifyFront(prepared)
    .where('token.model', '=', 'AccessToken')
    .where('token.id_hash', '=', id_hash)
    .executeTakeFirst()
}

/** An approval that stands, with the facts that decide over what comes of it. */
export async function findApproval(
  db: Db,
  { grant_hash, user_id }: { readonly grant_hash: Buffer; readonly user_id: string },
  now: Date,
): Promise<Pick<BearerRow, 'mfa' | 'by_token' | 'mfa_accounts' | 'sso_accounts'> | undefined> {
  return db
    .selectFrom('oauth_artefacts as approval')
    .select(['approval.mfa', 'approval.by_token'])
    .select([
      mfaAccounts('approval.user_id').as('mfa_accounts'),
      ssoAccounts('approval.user_id').as('sso_accounts'),
    ])
    .modifyFront(prepared)
    .where('approval.model', '=', 'Grant')
    .where('approval.id_hash', '=', grant_hash)
    .where('approval.user_id', '=', user_id)
    .where('approval.expires_at', '>', now)
    .executeTakeFirst()
}
