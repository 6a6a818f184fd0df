import { type RawBuilder, sql } from 'kysely'
import type { AccountSsoRow } from './account-sso.table.ts'
import type { Db } from '../database.ts'

export async function find(db: Db, account_id: string): Promise<AccountSsoRow | undefined> {
  return db.selectFrom('account_sso').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

export async function put(tx: Db, row: AccountSsoRow): Promise<AccountSsoRow> {
  const { account_id: _, created_at: __, ...said } = row
  return tx
    .insertInto('account_sso')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(said))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False: there is none. */
export async function remove(tx: Db, account_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_sso')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Settings of accounts whose plan holds SSO. Those of other accounts stay unused until their plan holds it again. */
function working(db: Db) {
  return db
    .selectFrom('account_sso')
    .innerJoin('accounts', 'accounts.account_id', 'account_sso.account_id')
    .innerJoin('plans', 'plans.tier', 'accounts.tier')
    .selectAll('account_sso')
    .where(sql<boolean>`'sso' = any(plans.entitlements)`)
}

export async function findWorking(db: Db, account_id: string): Promise<AccountSsoRow | undefined> {
  return working(db).where('account_sso.account_id', '=', account_id).executeTakeFirst()
}

/** The provider that the people of a mail domain use. */
export async function findForDomain(db: Db, domain: string): Promise<AccountSsoRow | undefined> {
  return working(db)
    .innerJoin('account_domains', 'account_domains.account_id', 'account_sso.account_id')
    .where('account_domains.domain', '=', domain)
    .where('account_domains.verified_at', 'is not', null)
    .executeTakeFirst()
}

/** A sign-in in SQL: the person, the provider that they came by, and whether they proved a second factor. */
export interface OtherWay {
  readonly user_id: RawBuilder<string>
  /** The account whose provider it was, if it was one. */
  readonly sso_account_id: RawBuilder<string | null>
  readonly mfa: RawBuilder<boolean | null>
}

/**
 * The accounts that a sign-in stays outside of, because they have people of its address come by their own provider.
 * Owners who proved a second factor are let in, so that a provider that fails does not lock an account for good.
 */
export function accountsThatAsk({ user_id, sso_account_id, mfa }: OtherWay): RawBuilder<string[]> {
  return sql<string[]>`array(
    select m.account_id from account_members m
    join account_sso s on s.account_id = m.account_id and s.enforced
    join accounts a on a.account_id = m.account_id
    join plans p on p.tier = a.tier and 'sso' = any(p.entitlements)
    join users u on u.user_id = m.user_id
    join account_domains d on d.account_id = m.account_id and d.verified_at is not null
      and d.domain = substring(lower(u.email) from '[^@]*$')
    where m.user_id = ${user_id} and m.account_id is distinct from ${sso_account_id}
      and not (m.role = 'owner' and coalesce(${mfa}, false)))`
}
