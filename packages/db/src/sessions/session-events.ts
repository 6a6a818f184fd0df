import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { prepared } from '../kit/prepared.ts'
import * as sessionAsks from './session-asks.ts'
import * as sessions from './sessions.ts'
import type { SessionEventRow } from './session-events.table.ts'
import type { SessionRow } from './sessions.table.ts'
import { costOf, withCosts } from './usage-costs.ts'

export interface NewSessionEvent {
  readonly type: string
  readonly at: Date
  readonly payload: Readonly<Record<string, unknown>>
  readonly event_id?: string
}

/**
 * Adds events behind the session's last one and notifies its readers. The session's row is the counter: writers of
 * one session take turns, so a reader that saw `seq` has seen everything before it. `held` is that row as this
 * transaction has just written it. Returns those that were added.
 */
export async function append(
  db: Db,
  session_id: string,
  events: readonly NewSessionEvent[],
  held?: Pick<SessionRow, 'last_event_seq' | 'last_event_at'>,
): Promise<readonly NewSessionEvent[]> {
  if (events.length === 0) return []
  if (!db.isTransaction) return db.transaction().execute((tx) => append(tx, session_id, events))

  const counter = held ?? (await sessions.lock(db, session_id))
  if (!counter) return []
  const reported = await withoutRepeats(db, session_id, events)
  if (reported.length === 0) return []
  const { events: fresh, reported_micros } = await withCosts(db, session_id, reported)

  // Several clocks report; in the log time does not run backwards.
  let at = counter.last_event_at
  const rows = fresh.map((event, index) => {
    at = at === null || event.at > at ? event.at : at
    const seq = counter.last_event_seq + index + 1
    return { seq, type: event.type, at, payload: event.payload, event_id: event.event_id ?? null }
  })
  await sql`${prepared}
    with counted as (
      update project_sessions
      set last_event_seq = ${counter.last_event_seq + fresh.length}, last_event_at = ${at},
        cost_micros = cost_micros + ${costOf(fresh)}, reported_micros = reported_micros + ${reported_micros}
      where session_id = ${session_id} returning session_id
    ), written as (
      insert into session_events (session_id, seq, type, at, payload, event_id)
      select counted.session_id, log.* from counted, jsonb_to_recordset(${jsonb(rows)}::jsonb)
        as log (seq bigint, type text, at timestamptz, payload jsonb, event_id text)
    )
    select pg_notify('svc_session', ${JSON.stringify({ session_id })})`.execute(db)
  await sessionAsks.record(db, session_id, rows)
  return fresh
}

/**
 * One event behind the last one of the session that a row of `source` names, as parts `counted` and `written` of a statement
 * that begins with `with`. For an event that costs nothing and asks nothing. Its readers are to be notified.
 */
export const appended = (
  source: RawBuilder<unknown>,
  { type, at, payload }: Omit<NewSessionEvent, 'event_id'>,
): RawBuilder<unknown> => sql`counted as (
    update project_sessions set last_event_seq = last_event_seq + 1, last_event_at = greatest(last_event_at, ${at})
    from ${source} where project_sessions.session_id = ${source}.session_id
    returning project_sessions.session_id, last_event_seq, last_event_at
  ), written as (
    insert into session_events (session_id, seq, type, at, payload)
    select session_id, last_event_seq, ${type}, last_event_at, ${jsonb(payload)}::jsonb from counted returning seq
  )`

/** The row of the session is locked: no other writer of it adds the same report meanwhile. No index refuses a repeat. */
async function withoutRepeats(
  tx: Db,
  session_id: string,
  events: readonly NewSessionEvent[],
): Promise<readonly NewSessionEvent[]> {
  const ids = events.flatMap((event) => (event.event_id === undefined ? [] : [event.event_id]))
  const known =
    ids.length === 0
      ? []
      : await tx
          .selectFrom('session_events')
          .select('event_id')
          .where('session_id', '=', session_id)
          .where('event_id', 'in', ids)
          .execute()
  const seen = new Set(known.map((row) => row.event_id))
  return events.filter((event) => {
    if (event.event_id === undefined) return true
    if (seen.has(event.event_id)) return false
    seen.add(event.event_id)
    return true
  })
}

/** Events that the table has; `eventArchives.nextStep` says what the archive has. */
export async function listAfter(
  db: Db,
  session_id: string,
  after: number,
  limit: number,
): Promise<SessionEventRow[]> {
  return db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** The event that was reported under one of these ids, as far as the table has it. */
export async function findReported(
  db: Db,
  session_id: string,
  event_ids: readonly string[],
): Promise<Pick<SessionEventRow, 'type' | 'payload'> | undefined> {
  return db
    .selectFrom('session_events')
    .select(['type', 'payload'])
    .where('session_id', '=', session_id)
    .where('event_id', 'in', event_ids)
    .executeTakeFirst()
}

const subject = sql`coalesce(payload ->> 'request_id', payload ->> 'prompt_id')`

/** Turns and asks: the events of the table, and before them what was open when its month was archived. */
const marks = (session_id: string) => sql`(
  select seq, type, payload from session_events
  where session_id = ${session_id} and type in ('turn', 'question', 'permission')
  union all
  select seq, type, payload from (select open_events from event_archives
    where session_id = ${session_id} order by last_seq desc limit 1) archived,
    jsonb_to_recordset(open_events) as o (seq bigint, type text, payload jsonb)) marks`

/** Open turns and asks, the newest first: the last event of each is its beginning. */
export async function listOpen(
  db: Db,
  session_id: string,
): Promise<readonly Pick<SessionEventRow, 'type' | 'payload'>[]> {
  const { rows } = await sql<Pick<SessionEventRow, 'type' | 'payload'>>`
    select type, payload from (
      select distinct on (type, ${subject}) seq, type, payload from ${marks(session_id)}
      order by type, ${subject}, seq desc) last
    where payload ->> 'state' in ('begin', 'asked')
    order by seq desc`.execute(db)
  return rows
}

/**
 * The last state of a prompt's turn: `begin` or `end`. One that ended in a month which is archived is not known any more: a
 * report of a turn never waits for the archive.
 */
export async function turnState(
  db: Db,
  { session_id, prompt_id }: { readonly session_id: string; readonly prompt_id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select payload ->> 'state' as state from ${marks(session_id)}
    where type = 'turn' and payload ->> 'prompt_id' = ${prompt_id}
    order by seq desc limit 1`.execute(db)
  return rows[0]?.state
}

/** The beginning of the last turn, where that was interrupted; undefined where it ended otherwise, or is archived. */
export async function interruptedSince(db: Db, session_id: string): Promise<Date | undefined> {
  const turns = sql`session_events where session_id = ${session_id} and type = 'turn'`
  const { rows } = await sql<{ at: Date }>`
    select begun.at from (select payload from ${turns} order by seq desc limit 1) last
    join (select at, seq, payload from ${turns}) begun
      on begun.payload ->> 'prompt_id' = last.payload ->> 'prompt_id'
    where last.payload ->> 'status' = 'interrupted' and begun.payload ->> 'state' = 'begin'
    order by begun.seq desc limit 1`.execute(db)
  return rows[0]?.at
}
