import { askKinds } from '@svc/facts'
import { type AskEvent, askMachine, type AskState } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'

interface AskOccurrence {
  readonly type: string
  readonly at: Date
  readonly payload: Readonly<Record<string, unknown>>
}

const kinds: ReadonlySet<string> = new Set(askKinds)

const endings: Readonly<Record<string, AskEvent>> = {
  replied: 'reply',
  rejected: 'reject',
  expired: 'expire',
  timed_out: 'time_out',
} satisfies Readonly<Record<Exclude<AskState, 'asked'>, AskEvent>>

/** Keeps the rows of asks in step with their events, in the transaction that writes these. */
export async function record(tx: Db, session_id: string, events: readonly AskOccurrence[]): Promise<void> {
  for (const { type, at, payload } of events) {
    const { request_id, state, ...body } = payload
    if (!kinds.has(type) || typeof request_id !== 'string' || typeof state !== 'string') continue
    if (state === 'asked') await open(tx, { session_id, request_id, type, at, body })
    const ending = endings[state]
    if (ending !== undefined) await end(tx, { session_id, request_id, ending, at })
  }
}

interface OpenedAsk {
  readonly session_id: string
  readonly request_id: string
  readonly type: string
  readonly at: Date
  readonly body: Readonly<Record<string, unknown>>
}

/** The number of events at the end of the log among which the waiting call is looked for. */
const window = 200

async function open(tx: Db, { session_id, request_id, type, at, body }: OpenedAsk): Promise<void> {
  const expires_at = typeof body['expires_at'] === 'string' ? new Date(body['expires_at']) : null
  await sql`
    insert into session_asks (session_id, request_id, project_id, kind, state, body, tool, asked_at, expires_at)
    select session_id, ${request_id}, project_id, ${type}, 'asked', ${jsonb(body)}::jsonb, (
      select jsonb_build_object('call_id', payload -> 'call_id', 'tool', payload -> 'tool', 'input', payload -> 'input')
      from (
        select payload from session_events
        where session_id = ${session_id} and type = 'tool' and seq > last_event_seq - ${window}::int
        order by seq desc limit 1
      ) last where payload ->> 'status' in ('pending', 'running')
    ), ${at}, ${expires_at}
    from project_sessions where session_id = ${session_id}
    on conflict (session_id, request_id) do nothing`.execute(tx)
}

interface EndedAsk {
  readonly session_id: string
  readonly request_id: string
  readonly ending: AskEvent
  readonly at: Date
}

async function end(tx: Db, { session_id, request_id, ending, at }: EndedAsk): Promise<void> {
  await tx
    .updateTable('session_asks')
    .set({ state: askMachine.to(ending), ended_at: at })
    .where('session_id', '=', session_id)
    .where('request_id', '=', request_id)
    .where('state', 'in', askMachine.from(ending))
    .execute()
}
