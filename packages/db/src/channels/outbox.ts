import { messageMachine } from '@svc/channel'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ChannelMessageRow } from './channels.table.ts'

/** A message that a worker took up before `stale_before`, and has not sent, is for any worker again. */
export interface ClaimWish {
  readonly now: Date
  readonly stale_before: Date
}

/** Channels with a message that may be sent now. */
export async function dueChannels(
  db: Db,
  { now, stale_before }: ClaimWish,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ channel_id: string }>`
    select distinct m.channel_id from channel_messages m join project_channels c using (channel_id)
    where c.status in ('connected', 'degraded') and (c.blocked_until is null or c.blocked_until <= ${now})
      and (m.retry_at <= ${now} or m.sending_since <= ${stale_before})
    limit ${limit}`.execute(db)
  return rows.map(({ channel_id }) => channel_id)
}

/**
 * Takes up the next message of a channel, as `sending`: in each thread the first that the platform does not have yet, and
 * none while another of the thread is on its way. An edit of what the platform has waits for no other message. Answers go
 * before progress.
 */
export async function claim(
  db: Db,
  channel_id: string,
  { now, stale_before }: ClaimWish,
): Promise<ChannelMessageRow | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ message_id: string; lost: boolean }>`
      select m.message_id, m.state = 'sending' as lost from channel_messages m
      where m.channel_id = ${channel_id} and (m.retry_at <= ${now} or m.sending_since <= ${stale_before})
        and not exists (select from channel_messages o where o.thread_id = m.thread_id and o.message_id <> m.message_id
          and o.state in ('pending', 'sending')
          and (o.sending_since > ${stale_before}
            or (m.sent_revision = 0 and o.sent_revision = 0 and o.position < m.position)))
      order by (m.kind = 'progress' and m.sent_revision > 0), coalesce(m.retry_at, m.sending_since), m.position
      limit 1 for update of m skip locked`.execute(tx)
    const [found] = rows
    if (found === undefined) return undefined
    return tx
      .updateTable('channel_messages')
      .set({
        state: 'sending',
        attempts: sql`attempts + 1`,
        retry_at: null,
        sending_since: now,
        // Its worker is gone: it may have been sent.
        ...(found.lost ? { lookups: sql`greatest(lookups, 1)` } : {}),
      })
      .where('message_id', '=', found.message_id)
      .returningAll()
      .executeTakeFirst()
  })
}

type Claimed = Pick<ChannelMessageRow, 'message_id' | 'revision' | 'sending_since'>

const held = (db: Db, { message_id, sending_since }: Claimed) =>
  db
    .updateTable('channel_messages')
    .where('message_id', '=', message_id)
    .where('state', '=', 'sending')
    .where('sending_since', '=', sending_since)

/** No other worker takes it up before then; undefined where one has. */
export async function keepUntil(
  db: Db,
  claimed: ChannelMessageRow,
  { until, stale_ms }: { readonly until: Date; readonly stale_ms: number },
): Promise<ChannelMessageRow | undefined> {
  return held(db, claimed)
    .set({ sending_since: new Date(until.getTime() - stale_ms) })
    .returningAll()
    .executeTakeFirst()
}

/** The platform has it. Where it was changed meanwhile, that is sent next. */
export async function sent(
  db: Db,
  claimed: Claimed,
  { platform_ref, now }: { readonly platform_ref: string; readonly now: Date },
): Promise<void> {
  const { revision } = claimed
  await held(db, claimed)
    .set({
      platform_ref,
      sent_revision: revision,
      state: sql`case when revision > ${revision} then 'pending' else 'sent' end`,
      retry_at: sql`case when revision > ${revision} then ${now}::timestamptz end`,
      ...{ sending_since: null, lookups: 0, refusals: 0, error: null },
      sent_at: sql`coalesce(sent_at, ${now}::timestamptz)`,
    })
    .execute()
}

/** It is tried again then; `doubt` where the platform may have it. */
export async function retry(
  db: Db,
  claimed: Claimed,
  failure: {
    readonly retry_at: Date
    readonly error: string | null
    readonly refused?: boolean
    readonly lookups: number
  },
): Promise<void> {
  const { retry_at, error, refused = false, lookups } = failure
  await held(db, claimed)
    .set({
      state: messageMachine.to('retry'),
      ...{ retry_at, error, lookups, sending_since: null },
      ...(refused ? { refusals: sql`refusals + 1` } : {}),
    })
    .execute()
}

export async function fail(db: Db, claimed: Claimed, error: string): Promise<void> {
  await held(db, claimed)
    .set({ state: messageMachine.to('fail'), error, sending_since: null })
    .execute()
}
