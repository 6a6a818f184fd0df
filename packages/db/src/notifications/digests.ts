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
  /** Kinds that are mailed to people who set nothing. */
  readonly mailed: readonly NotificationKind[]
}

/** A notification `n` that its person wants by mail and has in none. */
const owed = (mailed: readonly NotificationKind[]) => sql`
  n.read_at is null and n.mailed_at is null and n.digest_id is null
  and coalesce((select s.is_on from notification_settings s
    where s.user_id = n.user_id and s.kind = n.kind and s.way = 'email'), n.kind = any(${mailed}::text[]))`

/** People to whom a mail is owed. Addresses below `.invalid` take none. */
export async function waiting(db: Db, rules: DigestRules, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct n.user_id from notifications n join users u using (user_id)
    where ${owed(rules.mailed)} and n.created_at <= ${rules.unread_since}
      and u.email not like '%.invalid'
      and not exists (select from notification_digests d
        where d.user_id = n.user_id and (d.next_at is not null or d.created_at > ${rules.quiet_since}))
    limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Makes the mail of one person from what they want mailed, did not read, and have in none; null where there is nothing, or
 * another worker was first: two of them make one mail.
 */
export async function begin(
  tx: Db,
  { user_id, digest_id }: { readonly user_id: string; readonly digest_id: string },
  { now, unread_since, quiet_since, mailed }: DigestRules,
): Promise<NotificationDigestRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`digest ${user_id}`}, 0))`.execute(tx)
  const { rows } = await sql<{ owed: boolean; quiet: boolean }>`
    select exists (select from notifications n where n.user_id = ${user_id} and ${owed(mailed)}
        and n.created_at <= ${unread_since}) as owed,
      not exists (select from notification_digests where user_id = ${user_id}
        and (next_at is not null or created_at > ${quiet_since})) as quiet`.execute(tx)
  if (!rows[0]?.owed || !rows[0].quiet) return null
  const digest = await tx
    .insertInto('notification_digests')
    .values({ digest_id, user_id, created_at: now, next_at: now, sent_at: null, error: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`update notifications n set digest_id = ${digest_id}
    where n.user_id = ${user_id} and ${owed(mailed)}`.execute(tx)
  return digest
}

/** Takes the mail that is due for longest, for a while in which no other worker does. */
export async function claim(
  db: Db,
  { now, lease_ms }: { readonly now: Date; readonly lease_ms: number },
): Promise<NotificationDigestRow | undefined> {
  const { rows } = await sql<NotificationDigestRow>`
    update notification_digests d set next_at = ${new Date(now.getTime() + lease_ms)}, attempts = attempts + 1
    from (select digest_id from notification_digests where next_at <= ${now}
      order by next_at limit 1 for update skip locked) due
    where d.digest_id = due.digest_id returning d.*`.execute(db)
  return rows[0]
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
