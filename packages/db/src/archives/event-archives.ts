import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import type { SessionEventRow } from '../sessions/session-events.table.ts'
import type { EventArchiveRow, OpenEvent } from './event-archives.table.ts'

/** The place of a piece of a log in its object. */
export type ArchivedPiece = Pick<
  EventArchiveRow,
  'session_id' | 'first_seq' | 'last_seq' | 'object_key' | 'offset' | 'length' | 'sha256'
>

export interface LogQuery {
  readonly session_id: string
  readonly after: number
  readonly limit: number
  /** The only types that are read; all of them when absent. */
  readonly types?: readonly string[] | undefined
}

/** The next events of a log as far as the table has them, and the piece of the archive that follows them. */
export interface LogStep {
  readonly rows: readonly SessionEventRow[]
  readonly piece: ArchivedPiece | null
}

type StepRow = SessionEventRow & { readonly piece: ArchivedPiece | null; readonly is_event: boolean }

const pieceColumns = sql`session_id, first_seq, last_seq, object_key, "offset", length, sha256`

/**
 * One statement, so that a month which is sealed or dropped meanwhile is in exactly one of the two places. What an archive
 * holds is read from there, also while its month is in the table still.
 */
export async function nextStep(db: Db, { session_id, after, limit, types }: LogQuery): Promise<LogStep> {
  const ofTypes = types === undefined ? sql`` : sql`and type = any(${types}::text[])`
  const { rows } = await sql<StepRow>`${prepared}
    select to_json(a) as piece, e.seq is not null as is_event,
      e.session_id, e.seq, e.type, e.at, e.payload, e.event_id, e.stored_at
    from (select) one
    left join lateral (
      select ${pieceColumns} from event_archives
      where session_id = ${session_id} and last_seq > ${after} order by last_seq limit 1) a on true
    left join lateral (
      select session_id, seq, type, at, payload, event_id, stored_at from session_events
      where session_id = ${session_id} and seq > ${after} and seq < coalesce(a.first_seq, 9223372036854775807) ${ofTypes}
      order by seq limit ${limit}) e on true
    order by e.seq`.execute(db)
  return {
    piece: rows[0]?.piece ?? null,
    rows: rows.filter(({ is_event }) => is_event).map(({ piece: _, is_event: __, ...row }) => row),
  }
}

/** Pieces of a session's log, of the months that had not ended at `since`. */
export async function listPieces(db: Db, session_id: string, since: Date): Promise<ArchivedPiece[]> {
  const { rows } = await sql<ArchivedPiece>`
    select ${pieceColumns} from event_archives
    where session_id = ${session_id}
      and partition in (select name from event_partitions where to_at > ${since})
    order by last_seq`.execute(db)
  return rows
}

/** Everything that was open at the end of what is archived of each of these sessions. */
export async function openOf(
  db: Db,
  session_ids: readonly string[],
): Promise<ReadonlyMap<string, readonly OpenEvent[]>> {
  const { rows } = await sql<{ session_id: string; open_events: readonly OpenEvent[] }>`
    select s.session_id, a.open_events from unnest(${session_ids}::uuid[]) s (session_id)
    cross join lateral (select open_events from event_archives
      where session_id = s.session_id order by last_seq desc limit 1) a`.execute(db)
  return new Map(rows.map(({ session_id, open_events }) => [session_id, open_events]))
}

/** The end of the last month that is in the archive; null before the first one. */
export async function sealedUntil(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(to_at) as until from event_partitions where state in ('sealed', 'dropped')`.execute(db)
  return rows[0]?.until ?? null
}
