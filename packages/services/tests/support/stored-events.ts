import { type Db, eventPartitions } from '@svc/db'
import { sql } from 'kysely'

type OfSession = Readonly<Record<'session_id', string>>

/** Lets the platform store events of that time from here on: the database's own clock is not the test's. */
export async function storeAt(db: Db, at: Date): Promise<void> {
  await eventPartitions.makeAhead(db, at)
  const stored_at = sql.lit(at.toISOString())
  await sql`alter table session_events alter column stored_at set default ${stored_at}`.execute(db)
}

/** Puts events at the end of a log, stored at that time. */
export async function put(db: Db, { session_id }: OfSession, count: number, stored_at: Date): Promise<void> {
  await sql`
    with counted as (
      update project_sessions set last_event_seq = last_event_seq + ${count} where session_id = ${session_id}
      returning last_event_seq - ${count} as before
    )
    insert into session_events (session_id, seq, type, at, payload, event_id, stored_at)
    select ${session_id}, before + n, case when n % 3 = 0 then 'tool' else 'message' end, ${stored_at},
      jsonb_build_object('role', 'assistant', 'message_id', 'm' || (n / 5), 'call_id', 'c' || n, 'tool', 'bash',
        'status', 'done', 'zz', 1.50, 'a', null, 'text', repeat(md5(n::text), 16) || E'\n"Grüße" \u2028'),
      'e' || (before + n), ${stored_at}
    from counted, generate_series(1, ${count}) n`.execute(db)
}

/** Events that one sandbox reports of what it waits for, stored at that time. */
export async function putOpen(db: Db, session: OfSession, stored_at: Date): Promise<void> {
  const events = [
    ['turn', { prompt_id: 'p', state: 'begin' }],
    ['question', { request_id: 'q', state: 'asked', questions: [] }],
    ['question', { request_id: 'r', state: 'asked', questions: [] }],
    ['question', { request_id: 'r', state: 'answered' }],
  ] as const
  for (const [type, payload] of events) {
    await put(db, session, 1, stored_at)
    await sql`alter table session_events disable trigger session_events_are_append_only`.execute(db)
    await sql`update session_events set type = ${type}, payload = ${JSON.stringify(payload)}::jsonb, event_id = null
      where session_id = ${session.session_id} and seq = (select max(seq) from session_events
        where session_id = ${session.session_id})`.execute(db)
    await sql`alter table session_events enable trigger session_events_are_append_only`.execute(db)
  }
}
