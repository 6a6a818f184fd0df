import { sql } from 'kysely'
import type { AccountDomainRow } from './account-domains.table.ts'
import type { Db } from '../database.ts'

export interface DomainKey {
  readonly account_id: string
  readonly domain: string
}

/** Claims that ended unproved are as good as gone. */
function standing(db: Db, account_id: string, now: Date) {
  return db
    .selectFrom('account_domains')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}

export async function list(db: Db, account_id: string, now: Date): Promise<AccountDomainRow[]> {
  return standing(db, account_id, now).orderBy('domain').execute()
}

export async function find(db: Db, key: DomainKey, now: Date): Promise<AccountDomainRow | undefined> {
  return standing(db, key.account_id, now).where('domain', '=', key.domain).executeTakeFirst()
}

/** The account that proved the domain, whichever it is. */
export async function findOwner(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_domains')
    .select('account_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.account_id
}

/** Begins a claim, or gives one that stands more time; its challenge stays, for it may be in the DNS already. */
export async function claim(
  tx: Db,
  { account_id, domain }: DomainKey,
  claimed: { readonly challenge: string; readonly now: Date; readonly expires_at: Date },
): Promise<AccountDomainRow> {
  const { challenge, now, expires_at } = claimed
  await tx
    .deleteFrom('account_domains')
    .where('account_id', '=', account_id)
    .where('expires_at', '<=', now)
    .execute()
  return tx
    .insertInto('account_domains')
    .values({ account_id, domain, challenge, created_at: now, expires_at, verified_at: null })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'domain']).doUpdateSet({
        expires_at: sql`case when account_domains.verified_at is null then excluded.expires_at end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined: another account proved it first, or the claim is over. Proofs of one domain take turns. */
export async function prove(tx: Db, { account_id, domain }: DomainKey, now: Date) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account-domain:${domain}`}, 0))`.execute(tx)
  return tx
    .updateTable('account_domains')
    .set({ verified_at: now, expires_at: null })
    .where('account_id', '=', account_id)
    .where('domain', '=', domain)
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_domains as other')
            .select('other.domain')
            .whereRef('other.domain', '=', 'account_domains.domain')
            .where('other.verified_at', 'is not', null),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst()
}

/** False: there is no such claim. */
export async function remove(tx: Db, { account_id, domain }: DomainKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('account_domains')
    .where('account_id', '=', account_id)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
