import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ChannelDeliveryRow, ChannelRow } from './channels.table.ts'

/** Rows of channels as mail asks for them. */

const atDomain = (db: Db, local: string) =>
  db
    .selectFrom('project_channels')
    .selectAll()
    .where('platform', '=', 'email')
    .where('transport', '=', 'lmtp')
    .where(sql<boolean>`settings ->> 'local' = ${local}`)

/** The channel that takes the mails of an address at the deployment's domain. */
export async function findChannel(db: Db, local: string): Promise<ChannelRow | undefined> {
  return atDomain(db, local).where('status', '<>', 'disconnected').executeTakeFirst()
}

/** The channel that has an address, or had it: what people write there is for no other. */
export async function findByLocal(db: Db, local: string): Promise<ChannelRow | undefined> {
  return atDomain(db, local).executeTakeFirst()
}

/** The first mails of threads, by the hashes of their tokens. */
export async function rootsOf(
  db: Db,
  channel_id: string,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_threads')
    .select(['mail_token_hash', 'root'])
    .where('channel_id', '=', channel_id)
    .where(
      'mail_token_hash',
      'in',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .execute()
  return new Map(rows.map(({ mail_token_hash, root }) => [mail_token_hash?.toString('hex') ?? '', root]))
}

const mailsOf = (db: Db, thread_id: string) =>
  db
    .selectFrom('channel_deliveries')
    .selectAll()
    .where('thread_id', '=', thread_id)
    .where('kind', '=', 'message')
    .where('verdict', '=', 'accepted')
    .orderBy('position', 'desc')
    .limit(1)

/** The mail that a thread was prompted with last. */
export async function lastOfThread(db: Db, thread_id: string): Promise<ChannelDeliveryRow | undefined> {
  return mailsOf(db, thread_id).executeTakeFirst()
}

/** The mail that became a prompt. */
export async function ofPrompt(
  db: Db,
  { thread_id, prompt_id }: { readonly thread_id: string; readonly prompt_id: string },
): Promise<ChannelDeliveryRow | undefined> {
  return mailsOf(db, thread_id).where('prompt_id', '=', prompt_id).executeTakeFirst()
}

/** The last mail of a sender in a thread, or that would have begun one. */
export async function lastOfSender(
  db: Db,
  place: Pick<ChannelDeliveryRow, 'channel_id' | 'sender' | 'thread_key'>,
): Promise<ChannelDeliveryRow | undefined> {
  return db
    .selectFrom('channel_deliveries')
    .selectAll()
    .where('channel_id', '=', place.channel_id)
    .where('sender', '=', place.sender)
    .where('thread_key', '=', place.thread_key)
    .where('kind', '=', 'message')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface MailPlace {
  readonly channel_id: string
  readonly conversation: string
  readonly root: string
  readonly address: string
}

/** The mails of a thread that went out since then, and those that came from an address. */
export async function countsOf(
  db: Db,
  { channel_id, conversation, root, address }: MailPlace,
  since: Date,
): Promise<{ readonly sent: number; readonly received: number }> {
  const { rows } = await sql<{ sent: number; received: number }>`
    select
      (select count(*) from channel_messages where channel_id = ${channel_id} and created_at > ${since}::timestamptz - interval '1 day'
        and conversation = ${conversation} and root = ${root} and sent_at > ${since}
        and (recipient is null or recipient ->> 'id' = ${address}))::int as sent,
      (select count(*) from channel_deliveries where channel_id = ${channel_id} and sender = ${address}
        and received_at > ${since} and thread_key = ${`${conversation}:${root}`})::int as received`.execute(
    db,
  )
  return rows[0] ?? { sent: 0, received: 0 }
}
