import { liveSessionStatuses } from '@svc/facts'
import type { ChangeRequestStatus } from '@svc/change-request'
import type { SessionFailure, SessionStatus, StopReason, SummaryState } from '@svc/session'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { firstPrompt } from './first-prompt.ts'

export interface SummaryRow {
  readonly session_id: string
  readonly name: string | null
  /** The first thing that its agent was told; null where no prompt is left. */
  readonly first_prompt: string | null
  readonly state: SummaryState
  readonly status: SessionStatus
  readonly stop_reason: StopReason | null
  readonly failure: SessionFailure | null
  readonly agent_name: string
  readonly model: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly last_event_at: Date | null
  readonly cost_micros: number
  readonly labels: string[]
  readonly holds_personal_secrets: boolean
  readonly ask: {
    readonly kind: string
    readonly body: Readonly<Record<string, unknown>>
    readonly command?: unknown
  } | null
  readonly tool: { readonly tool?: unknown; readonly title?: unknown; readonly command?: unknown } | null
  readonly change_request: {
    readonly cr_id: string
    readonly number: number
    readonly title: string
    readonly status: ChangeRequestStatus
  } | null
}

export interface SummaryQuery {
  readonly project_id: string
  readonly now: Date
  readonly limit: number
  readonly before?: { readonly created_at: Date; readonly session_id: string } | undefined
  readonly state?: SummaryState | undefined
  readonly agent?: string | undefined
  readonly created_by?: string | undefined
  readonly q?: string | undefined
  readonly session_id?: string | undefined
}

const live = sql.join(liveSessionStatuses.map((status) => sql.lit(status)))

const hasAsk = sql`exists (
  select from session_asks where session_asks.session_id = s.session_id and session_asks.state = 'asked')`

const works = (now: Date) => sql`(
  exists (select from session_prompts where session_prompts.session_id = s.session_id
    and session_prompts.state in ('pending', 'delivered', 'running'))
  or exists (select from session_sandboxes where session_sandboxes.session_id = s.session_id
    and lease_expires_at > ${now}))`

/** The state of a session, as people name it. Only a running one is asked what its agent does. */
const stateOf = (now: Date) => sql<SummaryState>`case
  when s.status = 'failed' then 'failed'
  when s.status in ('stopped', 'completed') then 'stopped'
  when s.status <> 'running' then 'starting'
  when ${hasAsk} then 'waiting'
  when ${works(now)} then 'working'
  else 'idle' end`

function conditions(query: SummaryQuery): RawBuilder<unknown> {
  const { project_id, before, state, agent, created_by, q, session_id } = query
  const all = [sql`s.project_id = ${project_id}`, sql`s.deleted_at is null`, sql`s.origin <> 'system'`]
  if (state !== undefined) {
    // A state of what is live is looked for there alone.
    if (state !== 'failed' && state !== 'stopped') all.push(sql`s.status in (${live}, 'queued', 'branching')`)
    all.push(sql`${stateOf(query.now)} = ${state}`)
  }
  if (session_id !== undefined) all.push(sql`s.session_id = ${session_id}::uuid`)
  if (agent !== undefined) all.push(sql`s.agent_name = ${agent}`)
  if (created_by !== undefined) all.push(sql`s.created_by = ${created_by}`)
  if (q !== undefined) {
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`(s.name ilike ${like} or s.session_id::text like ${like.slice(1).toLowerCase()}
      or (s.name is null and not s.holds_personal_secrets and ${firstPrompt} ilike ${like}))`)
  }
  if (before !== undefined)
    all.push(sql`(s.created_at, s.session_id) < (${before.created_at}, ${before.session_id}::uuid)`)
  return sql.join(all, sql` and `)
}

/** A page of the sessions of a project, the newest first. */
export async function list(db: Db, query: SummaryQuery): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    with page as (
      select s.*, ${stateOf(query.now)} as state from project_sessions s
      where ${conditions(query)}
      order by s.created_at desc, s.session_id desc limit ${query.limit}
    )
    select s.session_id, s.name, s.state, s.status, s.stop_reason, s.failure, s.agent_name, s.model, s.created_by,
      s.created_at, s.last_event_at, s.cost_micros, s.labels, s.holds_personal_secrets,
      case when s.name is null then ${firstPrompt} end as first_prompt,
      case when s.state = 'waiting' then (
        select jsonb_build_object('kind', kind, 'body', body, 'command', tool -> 'input' -> 'command') from session_asks
        where session_asks.session_id = s.session_id and session_asks.state = 'asked'
        order by asked_at limit 1) end as ask,
      case when s.state = 'working' then (
        select jsonb_build_object('tool', payload -> 'tool', 'title', payload -> 'title',
          'command', payload -> 'input' -> 'command') from (
          select payload from session_events where session_events.session_id = s.session_id and type = 'tool'
            and seq > s.last_event_seq - 50 order by seq desc limit 1
        ) last where payload ->> 'status' in ('pending', 'running')) end as tool,
      (select jsonb_build_object('cr_id', cr_id, 'number', number, 'title', title, 'status', change_requests.status)
        from change_requests where origin_session_id = s.session_id order by number desc limit 1) as change_request
    from page s order by s.created_at desc, s.session_id desc`.execute(db)
  return rows
}

/** The number of the project's sessions in each state. */
export async function counts(
  db: Db,
  { project_id, now }: Pick<SummaryQuery, 'project_id' | 'now'>,
): Promise<ReadonlyMap<SummaryState, number>> {
  const { rows } = await sql<{ state: SummaryState; count: number }>`
    select ${stateOf(now)} as state, count(*)::int as count from project_sessions s
    where s.project_id = ${project_id} and s.deleted_at is null and s.origin <> 'system' group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ state, count }) => [state, count]))
}
