import type { ChangeRequestStatus } from '@svc/change-request'
import type { SessionFailure, SessionStatus } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Rows as threads speak of them. */

export interface Turn {
  readonly session_id: string
  readonly status: SessionStatus
  readonly failure: SessionFailure | null
  /** The beginning of its last turn; null before the first. */
  readonly began_at: Date | null
  /** Null while that turn runs. */
  readonly ended_at: Date | null
  /** Tools that it used, and the last of them by name. */
  readonly tools: number
  readonly tool: string | null
  readonly asks: boolean
}

/** The last turn of each of these sessions, as it is going. */
export async function turns(db: Db, session_ids: readonly string[]): Promise<Map<string, Turn>> {
  if (session_ids.length === 0) return new Map()
  const { rows } = await sql<Turn>`
    select s.session_id, s.status, s.failure, begun.at as began_at, ended.at as ended_at,
      coalesce(used.tools, 0)::int as tools, used.tool,
      exists (select from session_asks a where a.session_id = s.session_id and a.state = 'asked') as asks
    from project_sessions s
    left join lateral (select at, seq from session_events e where e.session_id = s.session_id and e.type = 'turn'
      and e.payload ->> 'state' = 'begin' order by seq desc limit 1) begun on true
    left join lateral (select at from session_events e where e.session_id = s.session_id and e.type = 'turn'
      and e.payload ->> 'state' = 'end' and e.seq > begun.seq order by seq desc limit 1) ended on true
    left join lateral (select count(distinct e.payload ->> 'call_id') as tools,
        (array_agg(e.payload ->> 'tool' order by e.seq desc))[1] as tool
      from session_events e where e.session_id = s.session_id and e.type = 'tool' and e.seq > begun.seq) used on true
    where s.session_id = any(${session_ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.session_id, row]))
}

/** The words of an agent in the turn of a prompt, in order: each message as it was reported last. */
export async function said(
  db: Db,
  { session_id, prompt_id }: { readonly session_id: string; readonly prompt_id: string },
): Promise<{ readonly text: string; readonly error: string | null }[]> {
  const { rows } = await sql<{ text: string; error: string | null }>`
    with turn as (
      select min(seq) filter (where payload ->> 'state' = 'begin') as from_seq,
        max(seq) filter (where payload ->> 'state' = 'end') as to_seq
      from session_events where session_id = ${session_id} and type = 'turn' and payload ->> 'prompt_id' = ${prompt_id}
    )
    select text, error from (
      select distinct on (e.payload ->> 'message_id') min(e.seq) over (partition by e.payload ->> 'message_id') as first,
        coalesce(e.payload ->> 'text', '') as text, e.payload ->> 'error' as error
      from session_events e, turn
      where e.session_id = ${session_id} and e.type = 'message' and e.seq > turn.from_seq
        and (turn.to_seq is null or e.seq <= turn.to_seq)
        and e.payload ->> 'role' is distinct from 'user' and e.payload ->> 'thought' is distinct from 'true'
      order by e.payload ->> 'message_id', e.seq desc
    ) m order by first`.execute(db)
  return rows
}

export interface AskSubject {
  readonly kind: string
  readonly state: string
  readonly body: Readonly<Record<string, unknown>>
  readonly command: unknown
  /** The answer that the agent says it took; null while it says of none. */
  readonly taken: Readonly<Record<string, unknown>> | null
}

export async function ask(db: Db, session_id: string, request_id: string): Promise<AskSubject | undefined> {
  const { rows } = await sql<AskSubject>`
    select kind, state, body, tool -> 'input' -> 'command' as command, (
      select payload from session_events e where e.session_id = a.session_id
        and event_id in (kind || ':' || request_id || ':replied', kind || ':' || request_id || ':rejected') limit 1
    ) as taken
    from session_asks a where session_id = ${session_id} and request_id = ${request_id}`.execute(db)
  return rows[0]
}

export interface ChangeRequestSubject {
  readonly cr_id: string
  readonly number: number
  readonly title: string
  readonly description: string
  readonly status: ChangeRequestStatus
  readonly base_ref: string
  readonly head_ref: string
  readonly head_commit_sha: string | null
  readonly base_commit_sha: string | null
  readonly origin_session_id: string | null
  /** The name of the person who merged or closed it. */
  readonly ended_by: string | null
}

export async function changeRequest(db: Db, cr_id: string): Promise<ChangeRequestSubject | undefined> {
  const { rows } = await sql<ChangeRequestSubject>`
    select cr_id, number, title, description, status, base_ref, head_ref, head_commit_sha, base_commit_sha,
      origin_session_id, (select name from users where user_id = coalesce(merged_by, closed_by)) as ended_by
    from change_requests where cr_id = ${cr_id}`.execute(db)
  return rows[0]
}
