import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ApprovalRow } from '../connectors/connectors.table.ts'
import type { SessionAskTable } from '../sessions/session-asks.table.ts'
import { firstPrompt } from '../sessions/first-prompt.ts'
import type { SessionRow } from '../sessions/sessions.table.ts'

/** Rows that events name, as notifications speak of them. */

export type SubjectSession = Pick<
  SessionRow,
  'session_id' | 'project_id' | 'name' | 'created_by' | 'visibility' | 'holds_personal_secrets' | 'failure'
> & { readonly first_prompt: string | null }

export async function session(db: Db, session_id: string): Promise<SubjectSession | undefined> {
  const { rows } = await sql<SubjectSession>`
    select s.session_id, s.project_id, s.name, case when s.name is null then ${firstPrompt} end as first_prompt, s.created_by,
      s.visibility, s.holds_personal_secrets, s.failure
    from project_sessions s where s.session_id = ${session_id}`.execute(db)
  return rows[0]
}

export interface SubjectAsk {
  readonly state: SessionAskTable['state']
  readonly body: Readonly<Record<string, unknown>>
  readonly command: unknown
}

export async function ask(db: Db, session_id: string, request_id: string): Promise<SubjectAsk | undefined> {
  const { rows } = await sql<SubjectAsk>`
    select state, body, tool -> 'input' -> 'command' as command from session_asks
    where session_id = ${session_id} and request_id = ${request_id}`.execute(db)
  return rows[0]
}

export async function approvalStatus(db: Db, call_id: string): Promise<ApprovalRow['status'] | undefined> {
  const row = await db
    .selectFrom('connector_approvals')
    .select('status')
    .where('call_id', '=', call_id)
    .executeTakeFirst()
  return row?.status
}

export interface SubjectChangeRequest {
  readonly created_by: string
  readonly merged_by: string | null
  /** The person of the last merge that was refused. */
  readonly refused_for: string | null
}

export async function changeRequest(db: Db, cr_id: string): Promise<SubjectChangeRequest | undefined> {
  const { rows } = await sql<SubjectChangeRequest>`
    select created_by, merged_by, (select requested_by from merge_attempts a
      where a.cr_id = c.cr_id and a.status = 'refused' order by a.finished_at desc limit 1) as refused_for
    from change_requests c where cr_id = ${cr_id}`.execute(db)
  return rows[0]
}

/** The person who wrote the entry of a trigger last, where they did by the platform. */
export async function triggerWriter(db: Db, project_id: string, slug: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('trigger_writers')
    .select('user_id')
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.user_id
}
