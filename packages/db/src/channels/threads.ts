import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { firstPrompt } from '../sessions/first-prompt.ts'
import type { ChannelThreadRow, ChannelThreadTable } from './channels.table.ts'

export async function find(
  db: Db,
  key: Pick<ChannelThreadRow, 'channel_id' | 'external_key'>,
): Promise<ChannelThreadRow | undefined> {
  return db
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', key.channel_id)
    .where('external_key', '=', key.external_key)
    .executeTakeFirst()
}

export async function findById(db: Db, thread_id: string): Promise<ChannelThreadRow | undefined> {
  return db.selectFrom('channel_threads').selectAll().where('thread_id', '=', thread_id).executeTakeFirst()
}

/** The threads of these sessions in connected channels, by session; sessions to come count as well. */
export async function ofSessions(
  db: Db,
  session_ids: readonly string[],
): Promise<Map<string, ChannelThreadRow>> {
  if (session_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_threads')
    .innerJoin('project_channels', 'project_channels.channel_id', 'channel_threads.channel_id')
    .selectAll('channel_threads')
    .where('planned_session_id', 'in', session_ids)
    .where('project_channels.status', '<>', 'disconnected')
    .execute()
  return new Map(rows.map((row) => [row.planned_session_id, row]))
}

/** The thread as it is, locked; a new one where there was none. */
export async function open(tx: Db, row: Insertable<ChannelThreadTable>): Promise<ChannelThreadRow> {
  const { channel_id, external_key } = row
  await tx
    .insertInto('channel_threads')
    .values(row)
    .onConflict((conflict) => conflict.columns(['channel_id', 'external_key']).doNothing())
    .execute()
  return tx
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('external_key', '=', external_key)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, thread_id: string): Promise<ChannelThreadRow | undefined> {
  return tx
    .selectFrom('channel_threads')
    .selectAll()
    .where('thread_id', '=', thread_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Its session is there. */
export async function bind(tx: Db, thread_id: string, session_id: string): Promise<void> {
  await tx.updateTable('channel_threads').set({ session_id }).where('thread_id', '=', thread_id).execute()
}

/** Its session is gone: another one is planned for whom speaks there next, who then owns the thread. */
export async function planAnew(
  tx: Db,
  thread_id: string,
  plan: Pick<ChannelThreadRow, 'planned_session_id' | 'owner_link_id' | 'agent' | 'policy'>,
): Promise<void> {
  await tx
    .updateTable('channel_threads')
    .set({ ...plan, session_id: null, progress_message_id: null })
    .where('thread_id', '=', thread_id)
    .execute()
}

export async function setProgress(
  tx: Db,
  thread_id: string,
  progress_message_id: string | null,
): Promise<void> {
  await tx
    .updateTable('channel_threads')
    .set({ progress_message_id })
    .where('thread_id', '=', thread_id)
    .execute()
}

/** Those that show how a turn is going. */
export async function inProgress(db: Db, limit: number): Promise<ChannelThreadRow[]> {
  return db
    .selectFrom('channel_threads')
    .selectAll()
    .where('progress_message_id', 'is not', null)
    .limit(limit)
    .execute()
}

/** The number of threads that a person began since then. */
export async function countOf(db: Db, owner_link_id: string, since: Date): Promise<number> {
  const { n } = await db
    .selectFrom('channel_threads')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('owner_link_id', '=', owner_link_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** A thread of the channel stands in that conversation. */
export async function isKnownConversation(
  db: Db,
  channel_id: string,
  conversation: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('channel_threads')
    .select('thread_id')
    .where('channel_id', '=', channel_id)
    .where('conversation', '=', conversation)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lets a person write to the agent of a thread from now on. */
export async function addWriter(
  tx: Db,
  row: { thread_id: string; link_id: string; created_at: Date },
): Promise<void> {
  await tx
    .insertInto('channel_thread_writers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isWriter(db: Db, key: { thread_id: string; link_id: string }): Promise<boolean> {
  const row = await db
    .selectFrom('channel_thread_writers')
    .select('link_id')
    .where('thread_id', '=', key.thread_id)
    .where('link_id', '=', key.link_id)
    .executeTakeFirst()
  return row !== undefined
}

export type ListedThread = ChannelThreadRow & {
  readonly display: string | null
  readonly user_id: string | null
  /** The name and the first words of its session; null where it has none, or where that was deleted. */
  readonly session: {
    readonly name: string | null
    readonly first_prompt: string | null
    readonly created_by: string
    readonly holds_personal_secrets: boolean
  } | null
}

/** A page of the threads of a channel, the newest first, each with who began it and its session. */
export async function list(
  db: Db,
  channel_id: string,
  query: {
    readonly limit: number
    readonly before?: { readonly created_at: Date; readonly thread_id: string } | undefined
  },
): Promise<ListedThread[]> {
  const { before } = query
  return db
    .selectFrom('channel_threads as t')
    .leftJoin('channel_links as l', 'l.link_id', 't.owner_link_id')
    .leftJoin('project_sessions as s', (join) =>
      join.onRef('s.session_id', '=', 't.session_id').on('s.deleted_at', 'is', null),
    )
    .selectAll('t')
    .select(['l.display', 'l.user_id'])
    .select(
      sql<ListedThread['session']>`case when s.session_id is not null then jsonb_build_object('name', s.name,
        'first_prompt', case when s.name is null then ${firstPrompt} end, 'created_by', s.created_by,
        'holds_personal_secrets', s.holds_personal_secrets) end`.as('session'),
    )
    .where('t.channel_id', '=', channel_id)
    .$if(before !== undefined, (rows) =>
      rows.where((where) =>
        where(
          where.refTuple('t.created_at', 't.thread_id'),
          '<',
          where.tuple(before?.created_at ?? new Date(0), before?.thread_id ?? ''),
        ),
      ),
    )
    .orderBy('t.created_at', 'desc')
    .orderBy('t.thread_id', 'desc')
    .limit(query.limit)
    .execute()
}
