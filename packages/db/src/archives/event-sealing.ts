import { eventPartitionMachine } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { literals } from '../kit/literals.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { EventArchiveDraftRow } from './event-archives.table.ts'

/** An event as the table has it, its payload in PostgreSQL's own text. */
export interface StoredEvent {
  readonly session_id: string
  readonly seq: number
  readonly type: string
  readonly at: Date
  readonly payload: string
  readonly event_id: string | null
  readonly stored_at: Date
}

export interface EventCursor {
  readonly session_id: string
  readonly seq: number
}

/** The first cursor of a month. */
export const beforeAll: EventCursor = { session_id: '00000000-0000-0000-0000-000000000000', seq: 0 }

/** Begins with the oldest month that ended before, or goes on with one that was begun; undefined when there is none. */
export async function begin(db: Db, { before, now }: { readonly before: Date; readonly now: Date }) {
  const { rows } = await sql<{ name: string }>`
    update event_partitions set state = ${eventPartitionMachine.to('seal')}, updated_at = ${now}
    where state in ${literals([...eventPartitionMachine.from('seal'), eventPartitionMachine.to('seal')])}
      and name = (select name from event_partitions
        where state in ${literals([...eventPartitionMachine.from('seal'), eventPartitionMachine.to('seal')])}
          and to_at < ${before} order by to_at limit 1)
    returning name`.execute(db)
  const [month] = rows
  if (month === undefined) return undefined
  // What a run that was cut off had packed: it is packed again, under the same names.
  await db.deleteFrom('event_archive_drafts').where('partition', '=', month.name).execute()
  return month.name
}

const within = (
  month: string,
) => sql`stored_at >= (select from_at from event_partitions where name = ${month})
  and stored_at < (select to_at from event_partitions where name = ${month})`

/** Events of a month, session by session, each in its order: by the key of the month's table. */
export async function listStored(
  db: Db,
  month: string,
  { after, limit }: { readonly after: EventCursor; readonly limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select session_id, seq, type, at, payload::text as payload, event_id, stored_at from session_events
    where ${within(month)} and (session_id, seq) > (${after.session_id}, ${after.seq})
    order by session_id, seq limit ${limit}`.execute(db)
  return rows
}

/** Keeps pieces of an object that is stored now, until their month is sealed. */
export async function addDrafts(db: Db, drafts: readonly EventArchiveDraftRow[]): Promise<void> {
  await sql`insert into event_archive_drafts (object_key, "offset", partition, session_id, first_seq, last_seq, length,
      sha256, has_conversation, open_events)
    select * from jsonb_to_recordset(${jsonb(drafts)}::jsonb) as d (object_key text, "offset" bigint, partition text,
      session_id uuid, first_seq bigint, last_seq bigint, length integer, sha256 text, has_conversation boolean,
      open_events jsonb)`.execute(db)
}

export type DraftPiece = Omit<EventArchiveDraftRow, 'open_events' | 'has_conversation'>

/** Pieces of a month in the order of their objects. */
export async function listDrafts(
  db: Db,
  month: string,
  after: { readonly object_key: string; readonly offset: number },
  limit: number,
): Promise<DraftPiece[]> {
  const { rows } = await sql<DraftPiece>`
    select object_key, "offset", partition, session_id, first_seq, last_seq, length, sha256 from event_archive_drafts
    where partition = ${month} and (object_key, "offset") > (${after.object_key}, ${after.offset})
    order by object_key, "offset" limit ${limit}`.execute(db)
  return rows
}

/**
 * Makes the drafts the archive, and seals the month, where they hold every event of it; how many events that are. Undefined
 * when they do not: rows of a deleted session went meanwhile, or another process was first.
 */
export async function finish(db: Db, month: string, now: Date): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string }>`
      update event_partitions set state = ${eventPartitionMachine.to('finish')}, updated_at = ${now},
        rows = packed.rows, bytes = packed.bytes
      from (select coalesce(sum(last_seq - first_seq + 1), 0)::bigint as rows, coalesce(sum(length), 0)::bigint as bytes
        from event_archive_drafts where partition = ${month}) packed
      where name = ${month} and state in ${literals(eventPartitionMachine.from('finish'))}
        and packed.rows = (select count(*) from session_events where ${within(month)})
      returning name`.execute(tx)
    if (rows.length === 0) return undefined
    await sql`update archive_objects set unnamed_at = null where object_key in (
      select object_key from event_archive_drafts where partition = ${month})`.execute(tx)
    await sql`insert into event_archives (session_id, partition, first_seq, last_seq, object_key, "offset", length, sha256,
        prev_sha256, has_conversation, open_events)
      select session_id, partition, first_seq, last_seq, object_key, "offset", length, sha256,
        coalesce(lag(sha256) over (partition by session_id order by first_seq),
          (select a.sha256 from event_archives a where a.session_id = d.session_id order by last_seq desc limit 1)),
        has_conversation, open_events
      from event_archive_drafts d where partition = ${month}`.execute(tx)
    const { numDeletedRows } = await tx
      .deleteFrom('event_archive_drafts')
      .where('partition', '=', month)
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

/** Months that have been sealed since before that moment, the oldest first. */
export async function listSealed(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from event_partitions
    where state in ${literals(eventPartitionMachine.from('drop'))} and updated_at < ${before}
    order by to_at`.execute(db)
  return rows.map(({ name }) => name)
}
