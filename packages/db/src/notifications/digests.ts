import type { NotificationKind } from '@svc/facts'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { NotificationDigestRow, NotificationRow } from './notifications.table.ts'

export interface DigestRules {
  readonly now: Date
  /** Unread since then, at the latest, so that a mail is owed. */
  readonly unread_since: Date
  /** No mail since then, so that another one may go. */
  readonly quiet_since: Date
  readonly limit: number
}

/** People to whom a mail may be owed: their settings are not looked at. Addresses below `.invalid` take none. */
export async function waiting(db: Db, rules: DigestRules): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct n.user_id from notifications n join users u using (user_id)
    where n.read_at is null and n.mailed_at is null and n.digest_id is null and n.created_at <= ${rules.unread_since}
      and u.email not like '%.invalid'
      and not exists (select from notification_digests d
        where d.user_id = n.user_id and (d.next_at is not null or d.created_at > ${rules.quiet_since}))
    limit ${rules.limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Makes the mail of one person from what is unread and was in none, of these kinds; null where there is nothing, or another
 * worker was first. The person's row is locked, so that two workers make one mail.
 */
export async function begin(
  tx: Db,
  { user_id, digest_id, kinds }: { user_id: string; digest_id: string; kinds: readonly NotificationKind[] },
  { now, unread_since, quiet_since }: DigestRules,
): Promise<NotificationDigestRow | null> {
  if (kinds.length === 0) return null
  await sql`select pg_advisory_xact_lock(hashtextextended(${`digest ${user_id}`}, 0))`.execute(tx)
  const { rows } = await sql<{ owed: boolean; quiet: boolean }>`
    select exists (select from notifications where user_id = ${user_id} and read_at is null and mailed_at is null
        and digest_id is null and kind = any(${kinds}::text[]) and created_at <= ${unread_since}) as owed,
      not exists (select from notification_digests where user_id = ${user_id}
        and (next_at is not null or created_at > ${quiet_since})) as quiet`.execute(tx)
  if (!rows[0]?.owed || !rows[0].quiet) return null
  const digest = await tx
    .insertInto('notification_digests')
    .values({ digest_id, user_id, created_at: now, next_at: now, sent_at: null, error: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('notifications')
    .set({ digest_id })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where('digest_id', 'is', null)
    .where('kind', 'in', kinds)
    .execute()
  return digest
}

/** Takes mails that are due, each for a while in which no other worker does. */
export async function claim(
  db: Db,
  { now, lease_ms, limit }: { readonly now: Date; readonly lease_ms: number; readonly limit: number },
): Promise<NotificationDigestRow[]> {
  const { rows } = await sql<NotificationDigestRow>`
    update notification_digests d set next_at = ${new Date(now.getTime() + lease_ms)}, attempts = attempts + 1
    from (select digest_id from notification_digests where next_at <= ${now}
      order by next_at limit ${limit} for update skip locked) due
    where d.digest_id = due.digest_id returning d.*`.execute(db)
  return rows
}

/** The mail's address, and what of it is unread still, the newest first. */
export async function content(
  db: Db,
  digest_id: string,
): Promise<{ readonly email: string; readonly notifications: readonly NotificationRow[] } | undefined> {
  const owner = await db
    .selectFrom('notification_digests')
    .innerJoin('users', 'users.user_id', 'notification_digests.user_id')
    .select('users.email')
    .where('digest_id', '=', digest_id)
    .executeTakeFirst()
  if (owner === undefined) return undefined
  const notifications = await db
    .selectFrom('notifications')
    .selectAll()
    .where('digest_id', '=', digest_id)
    .where('read_at', 'is', null)
    .orderBy('position', 'desc')
    .execute()
  return { email: owner.email, notifications }
}

/** It was sent, or there is nothing left to say. */
export async function finish(tx: Db, digest_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('notification_digests')
    .set({ next_at: null, sent_at: now, error: null })
    .where('digest_id', '=', digest_id)
    .execute()
  await tx
    .updateTable('notifications')
    .set({ mailed_at: now })
    .where('digest_id', '=', digest_id)
    .where('mailed_at', 'is', null)
    .execute()
}

/** It was refused: tried again then, or given up. */
export async function fail(db: Db, digest_id: string, error: string, next_at: Date | null): Promise<void> {
  await db
    .updateTable('notification_digests')
    .set({ next_at, error })
    .where('digest_id', '=', digest_id)
    .execute()
}
