import { sql } from 'kysely'
import type { Db } from './database.ts'
import { jsonb } from './jsonb.ts'
import { prepared } from './prepared.ts'
import * as sessions from './sessions.ts'
import type { SessionEventRow } from './session-events.table.ts'
import type { SessionRow } from './sessions.table.ts'

export interface NewSessionEvent {
  readonly type: string
  readonly at: Date
  readonly payload: Readonly<Record<string, unknown>>
  readonly event_id?: string
}

/**
 * Adds events behind the session's last one and tells whoever follows it. The session's row is the counter: writers of
 * one session take turns, so a reader that saw `seq` has seen everything before it. `held` is that row as this
 * transaction has just written it.
 */
export async function append(
  db: Db,
  session_id: string,
  events: readonly NewSessionEvent[],
  held?: Pick<SessionRow, 'last_event_seq' | 'last_event_at'>,
): Promise<void> {
  if (events.length === 0) return
  if (!db.isTransaction) return db.transaction().execute((tx) => append(tx, session_id, events))

  const counter = held ?? (await sessions.lock(db, session_id))
  if (!counter) return
  const fresh = await withoutRepeats(db, session_id, events)
  if (fresh.length === 0) return

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
      set last_event_seq = ${counter.last_event_seq + fresh.length}, last_event_at = ${at}
      where session_id = ${session_id} returning session_id
    ), written as (
      insert into session_events (session_id, seq, type, at, payload, event_id)
      select counted.session_id, log.* from counted, jsonb_to_recordset(${jsonb(rows)}::jsonb)
        as log (seq bigint, type text, at timestamptz, payload jsonb, event_id text)
    )
    select pg_notify('svc_session', ${JSON.stringify({ session_id })})`.execute(db)
}

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

/** What the conversation is made of, in order. */
export async function listConversation(db: Db, session_id: string): Promise<SessionEventRow[]> {
  return db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('type', 'in', ['prompt', 'message', 'tool'])
    .orderBy('seq')
    .execute()
}

/** How the agent first asked this. */
export async function findAsk(
  db: Db,
  session_id: string,
  request_id: string,
): Promise<SessionEventRow | undefined> {
  return db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('event_id', 'in', [`question:${request_id}`, `permission:${request_id}`])
    .executeTakeFirst()
}

export async function lastSeq(db: Db, session_id: string): Promise<number> {
  const { last } = await db
    .selectFrom('session_events')
    .select(sql<number | null>`max(seq)`.as('last'))
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return last ?? 0
}
