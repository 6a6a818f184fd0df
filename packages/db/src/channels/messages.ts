import { messageMachine, type MessageState, type Outgoing } from '@svc/channel'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type {
  ChannelMessageRow,
  ChannelMessageTable,
  ChannelThreadRow,
  MessageSubject,
} from './channels.table.ts'

type NewMessage = Pick<Insertable<ChannelMessageTable>, 'message_id' | 'kind'> & {
  readonly body: Outgoing
  readonly subject?: MessageSubject
  /** One message of the thread for each key: a second one is not written. */
  readonly subject_key?: string
  readonly idempotency_key?: string | undefined
  readonly recipient?: ChannelMessageRow['recipient']
}

const fresh = (message: NewMessage, now: Date) => ({
  message_id: message.message_id,
  kind: message.kind,
  body: jsonb(message.body),
  subject: message.subject === undefined ? null : jsonb(message.subject),
  subject_key: message.subject_key ?? null,
  idempotency_key: message.idempotency_key ?? null,
  recipient: message.recipient ? jsonb(message.recipient) : null,
  ...{ state: 'pending' as const, retry_at: now, sending_since: null, sent_at: null, error: null },
  ...{ platform_ref: null, created_at: now },
})

/** Puts a message behind the others of a thread, whose row the caller holds; undefined where there is one of its subject. */
export async function append(
  tx: Db,
  thread: Pick<
    ChannelThreadRow,
    'thread_id' | 'channel_id' | 'account_id' | 'project_id' | 'conversation' | 'root'
  >,
  message: NewMessage,
  now: Date,
): Promise<ChannelMessageRow | undefined> {
  const { thread_id, channel_id, account_id, project_id, conversation, root } = thread
  const row = await tx
    .insertInto('channel_messages')
    .values({
      ...{ thread_id, channel_id, account_id, project_id, conversation, root },
      ...fresh(message, now),
      position: sql`(select next_position from channel_threads where thread_id = ${thread_id})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined)
    await tx
      .updateTable('channel_threads')
      .set({ next_position: row.position + 1 })
      .where('thread_id', '=', thread_id)
      .execute()
  return row
}

/** Writes a message that stands in no thread with a session: to a conversation, or beside what one person wrote. */
export async function insert(
  tx: Db,
  {
    position = 0,
    ...place
  }: Pick<ChannelMessageRow, 'channel_id' | 'account_id' | 'project_id' | 'conversation' | 'root'> & {
    /** Among those that are written with it. */
    readonly position?: number
  },
  message: NewMessage,
  now: Date,
): Promise<ChannelMessageRow | undefined> {
  return tx
    .insertInto('channel_messages')
    .values({ ...place, thread_id: null, position, ...fresh(message, now) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function find(db: Db, message_id: string): Promise<ChannelMessageRow | undefined> {
  return db.selectFrom('channel_messages').selectAll().where('message_id', '=', message_id).executeTakeFirst()
}

export async function findByKey(
  db: Db,
  key: { readonly channel_id: string; readonly idempotency_key: string },
): Promise<ChannelMessageRow | undefined> {
  return db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', key.channel_id)
    .where('idempotency_key', '=', key.idempotency_key)
    .executeTakeFirst()
}

/** The message of a subject, locked until the transaction ends. */
export async function lockBySubject(
  tx: Db,
  key: { readonly thread_id: string; readonly subject_key: string },
): Promise<ChannelMessageRow | undefined> {
  return tx
    .selectFrom('channel_messages')
    .selectAll()
    .where('thread_id', '=', key.thread_id)
    .where('subject_key', '=', key.subject_key)
    .forUpdate()
    .executeTakeFirst()
}

/** The cards of a change request, in whichever thread. */
export async function ofChangeRequest(tx: Db, cr_id: string): Promise<ChannelMessageRow[]> {
  return tx
    .selectFrom('channel_messages')
    .selectAll()
    .where('subject_key', '=', `cr:${cr_id}`)
    .forUpdate()
    .execute()
}

/** Makes a message say something else: the newest words are sent, however many changes came before them. */
export async function edit(
  tx: Db,
  message_id: string,
  { body, subject, now }: { readonly body: Outgoing; readonly subject?: MessageSubject; readonly now: Date },
): Promise<void> {
  const pending = messageMachine.to('edit')
  await tx
    .updateTable('channel_messages')
    .set({
      body: jsonb(body),
      ...(subject === undefined ? {} : { subject: jsonb(subject) }),
      revision: sql`revision + 1`,
      ...{ refusals: 0, attempts: 0 },
      // One on its way is sent again once it arrived.
      state: sql`case when state in ('sent', 'failed') then ${pending} else state end`,
      retry_at: sql`case when state in ('sent', 'failed') then ${now}::timestamptz else retry_at end`,
    })
    .where('message_id', '=', message_id)
    // One that the platform has may be changed once more, even where the last change failed.
    .where((where) =>
      where.or([
        where('state', 'in', ['pending', 'sending', 'sent']),
        where.and([where('state', '=', 'failed'), where('platform_ref', 'is not', null)]),
      ]),
    )
    .where(sql<boolean>`body <> ${jsonb(body)}::jsonb`)
    .execute()
}

export interface EndedAsk {
  readonly message: ChannelMessageRow
  /** Of the ask. */
  readonly state: string
}

/** Cards with buttons whose ask has an end. */
export async function endedAsks(db: Db, limit: number): Promise<EndedAsk[]> {
  const rows = await db
    .selectFrom('channel_messages as m')
    .innerJoin('session_asks as a', (join) =>
      join
        .on(sql<boolean>`a.session_id = (m.subject ->> 'session_id')::uuid`)
        .on(sql<boolean>`a.request_id = m.subject ->> 'request_id'`),
    )
    .selectAll('m')
    .select('a.state as ask_state')
    .where(sql<boolean>`m.subject ->> 'type' = 'ask'`)
    .where(sql<boolean>`m.body -> 'buttons' is not null`)
    .where('m.state', 'in', ['pending', 'sending', 'sent'])
    .where('a.state', '<>', 'asked')
    .limit(limit)
    .execute()
  return rows.map(({ ask_state, ...message }) => ({ message, state: ask_state }))
}

/** Takes back what was not sent yet. */
export async function cancel(tx: Db, channel_id: string): Promise<void> {
  await tx
    .updateTable('channel_messages')
    .set({ state: messageMachine.to('cancel'), retry_at: null })
    .where('channel_id', '=', channel_id)
    .where('state', 'in', messageMachine.from('cancel'))
    .execute()
}

/** A page of what goes out, the newest first; those of one moment in the order of their threads. */
export async function list(
  db: Db,
  channel_id: string,
  query: {
    readonly limit: number
    readonly before?: Pick<ChannelMessageRow, 'created_at' | 'position' | 'message_id'> | undefined
    readonly state?: MessageState | undefined
  },
): Promise<ChannelMessageRow[]> {
  const { before, state } = query
  return db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? 'pending'))
    .$if(before !== undefined, (rows) =>
      rows.where((where) =>
        where(
          where.refTuple('created_at', 'position', 'message_id'),
          '<',
          where.tuple(before?.created_at ?? new Date(0), before?.position ?? 0, before?.message_id ?? ''),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('message_id', 'desc')
    .limit(query.limit)
    .execute()
}

/** The time of the first message that waits, for each channel. */
export async function oldestWaiting(db: Db): Promise<Date | null> {
  const { at } = await db
    .selectFrom('channel_messages')
    .select((select) => select.fn.min('created_at').as('at'))
    .where('state', 'in', ['pending', 'sending'])
    .where('sent_revision', '=', 0)
    .executeTakeFirstOrThrow()
  return at
}

/** Removes those that came to an end before then; how many. */
export async function forget(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('channel_messages')
    .where('message_id', 'in', (select) =>
      select
        .selectFrom('channel_messages')
        .select('message_id')
        .where('created_at', '<', before)
        .where('state', 'in', ['sent', 'failed', 'cancelled'])
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
