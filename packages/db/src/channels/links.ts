import { type Insertable, sql } from 'kysely'
import { accountsThatAsk } from '../accounts/account-sso.ts'
import type { Db } from '../database.ts'
import type {
  ChannelLinkRow,
  ChannelLinkTable,
  ChannelLinkTokenRow,
  ChannelLinkTokenTable,
  ChannelRow,
} from './channels.table.ts'

export type SenderKey = Pick<ChannelLinkRow, 'account_id' | 'platform' | 'tenant' | 'external_user'>

/** The live link of a sender. */
export async function find(db: Db, key: SenderKey): Promise<ChannelLinkRow | undefined> {
  return db
    .selectFrom('channel_links')
    .selectAll()
    .where('account_id', '=', key.account_id)
    .where('platform', '=', key.platform)
    .where('tenant', '=', key.tenant)
    .where('external_user', '=', key.external_user)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

export async function findById(db: Db, link_id: string): Promise<ChannelLinkRow | undefined> {
  return db.selectFrom('channel_links').selectAll().where('link_id', '=', link_id).executeTakeFirst()
}

/** The link; the one that is there where the sender is linked already. */
export async function link(tx: Db, row: Insertable<ChannelLinkTable>): Promise<ChannelLinkRow> {
  const inserted = await tx
    .insertInto('channel_links')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return inserted ?? ((await find(tx, row)) as ChannelLinkRow)
}

/** The account whose own provider a sign-in came by. */
export async function ssoOfSignIn(db: Db, sign_in_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('sign_ins')
    .select('sso_account_id')
    .where('sign_in_id', '=', sign_in_id)
    .executeTakeFirst()
  return row?.sso_account_id ?? null
}

/** Refreshes what the sign-in of a linked person proved. */
export async function prove(
  tx: Db,
  link_id: string,
  proof: Pick<ChannelLinkRow, 'mfa' | 'sso_account_id'>,
): Promise<void> {
  await tx.updateTable('channel_links').set(proof).where('link_id', '=', link_id).execute()
}

/** Ends it; the link, or undefined where it had ended. */
export async function revoke(tx: Db, link_id: string, now: Date): Promise<ChannelLinkRow | undefined> {
  return tx
    .updateTable('channel_links')
    .set({ revoked_at: now })
    .where('link_id', '=', link_id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Once a minute. */
export async function touch(db: Db, { link_id, last_used_at }: ChannelLinkRow, now: Date): Promise<void> {
  if (last_used_at !== null && now.getTime() - last_used_at.getTime() < 60_000) return
  await db.updateTable('channel_links').set({ last_used_at: now }).where('link_id', '=', link_id).execute()
}

export async function ofUser(db: Db, user_id: string): Promise<ChannelLinkRow[]> {
  return db
    .selectFrom('channel_links')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('link_id')
    .execute()
}

/** A person as they are known in a channel that is connected. */
export interface DirectPlace {
  readonly user_id: string
  readonly channel_id: string
  /** Of the channel. */
  readonly project_id: string
  readonly sender: { readonly id: string; readonly tenant: string; readonly display: string }
}

/** The chat in which each of these people is to be found: in the project, else where they wrote last. Mail is no chat. */
export async function directPlaces(
  db: Db,
  {
    account_id,
    project_id,
    user_ids,
  }: {
    readonly account_id: string
    readonly project_id: string | null
    readonly user_ids: readonly string[]
  },
): Promise<DirectPlace[]> {
  const { rows } = await sql<DirectPlace>`
    select distinct on (l.user_id) l.user_id, c.channel_id, c.project_id,
      json_build_object('id', l.external_user, 'tenant', l.tenant, 'display', l.display) as sender
    from channel_links l
    join project_channels c on c.account_id = l.account_id and c.platform = l.platform
      and c.identity ->> 'tenant' = l.tenant and c.status in ('connected', 'degraded')
    where l.account_id = ${account_id} and l.user_id = any(${user_ids}::uuid[]) and l.revoked_at is null
      and l.platform <> 'email'
    order by l.user_id, (c.project_id = ${project_id}) desc nulls last, l.last_used_at desc nulls last, c.channel_id`.execute(
    db,
  )
  return rows
}

/** A page of the people who may write in a channel: those of its account on its platform and place. */
export async function ofChannel(
  db: Db,
  { account_id, platform, identity }: Pick<ChannelRow, 'account_id' | 'platform' | 'identity'>,
  query: { readonly limit: number; readonly after?: string | undefined },
): Promise<ChannelLinkRow[]> {
  const { after } = query
  return db
    .selectFrom('channel_links')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('platform', '=', platform)
    .$if(platform !== 'email', (rows) => rows.where('tenant', '=', identity?.tenant ?? ''))
    .where('revoked_at', 'is', null)
    .$if(after !== undefined, (rows) => rows.where('link_id', '>', after ?? ''))
    .orderBy('link_id')
    .limit(query.limit)
    .execute()
}

/** Offers a link to a sender; false where one that is unused was offered in the last ten minutes. */
export async function offer(tx: Db, row: Insertable<ChannelLinkTokenTable>): Promise<boolean> {
  const { channel_id, tenant, external_user, created_at } = row
  await tx
    .deleteFrom('channel_link_tokens')
    .where('channel_id', '=', channel_id)
    .where('tenant', '=', tenant)
    .where('external_user', '=', external_user)
    .where('used_at', 'is', null)
    .where('expires_at', '<=', created_at)
    .execute()
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('channel_link_tokens')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** An offer that can be used. */
export async function offered(
  db: Db,
  token_hash: Buffer,
  now: Date,
): Promise<ChannelLinkTokenRow | undefined> {
  return db
    .selectFrom('channel_link_tokens')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses an offer; false where it was used meanwhile. */
export async function use(tx: Db, token_hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('channel_link_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', token_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function forgetOffers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('channel_link_tokens').where('expires_at', '<', before).execute()
}

/** The accounts whose rules about sign-ins a link does not meet, as they are now. */
export async function missedRules(
  db: Db,
  { user_id, sso_account_id, mfa }: Pick<ChannelLinkRow, 'user_id' | 'sso_account_id' | 'mfa'>,
): Promise<{ readonly mfa_accounts: readonly string[]; readonly sso_accounts: readonly string[] }> {
  const asks = accountsThatAsk({
    user_id: sql`${user_id}::uuid`,
    sso_account_id: sql`${sso_account_id}::uuid`,
    mfa: sql`${mfa}::boolean`,
  })
  const { rows } = await sql<{ mfa_accounts: string[]; sso_accounts: string[] }>`
    select array(select account_id from account_members join accounts using (account_id)
      where user_id = ${user_id} and mfa_required) as mfa_accounts, ${asks} as sso_accounts`.execute(db)
  const [found] = rows
  return { mfa_accounts: mfa ? [] : (found?.mfa_accounts ?? []), sso_accounts: found?.sso_accounts ?? [] }
}
