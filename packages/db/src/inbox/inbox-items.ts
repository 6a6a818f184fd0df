import type { AskKind } from '@svc/facts'
import type { SessionFailure } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { firstPrompt } from '../sessions/first-prompt.ts'
import type { ApprovalRow, ConnectorCallRow } from '../connectors/connectors.table.ts'
import type { ReviewItemRow } from '../reviews/review-items.table.ts'
import type { AskedTool } from '../sessions/session-asks.table.ts'

export { type FullBudget, fullBudgets } from './full-budgets.ts'

/**
 * Rows that wait for people in these projects: one read for each kind, of rows that are open. The number of each is bounded,
 * the newest first, or what expires first.
 */
const maxItems = 500

type Projects = readonly string[]

export interface OpenAsk {
  readonly request_id: string
  readonly session_id: string
  readonly project_id: string
  readonly body: Readonly<Record<string, unknown>>
  readonly tool: AskedTool | null
  readonly asked_at: Date
  readonly expires_at: Date | null
  readonly name: string | null
  readonly first_prompt: string | null
  readonly created_by: string
  readonly visibility: 'private' | 'project'
  readonly holds_personal_secrets: boolean
}

export async function asks(db: Db, project_ids: Projects, kind: AskKind): Promise<OpenAsk[]> {
  const { rows } = await sql<OpenAsk>`
    select ask.request_id, ask.session_id, ask.project_id, ask.body, ask.tool, ask.asked_at, ask.expires_at,
      s.name, case when s.name is null then ${firstPrompt} end as first_prompt, s.created_by, s.visibility,
      s.holds_personal_secrets
    from session_asks ask join project_sessions s using (session_id)
    where ask.state = 'asked' and ask.project_id = any(${project_ids}::uuid[]) and ask.kind = ${kind}
      and s.deleted_at is null and s.status = 'running'
    order by ask.expires_at nulls last, ask.asked_at limit ${maxItems}`.execute(db)
  return rows
}

export interface FailedSession {
  readonly session_id: string
  readonly project_id: string
  readonly name: string | null
  readonly first_prompt: string | null
  readonly failure: SessionFailure | null
  readonly origin: string
  readonly created_by: string
  readonly provisioning_at: Date
  readonly updated_at: Date
}

export async function failedSessions(db: Db, project_ids: Projects): Promise<FailedSession[]> {
  const { rows } = await sql<FailedSession>`
    select s.session_id, s.project_id, s.name, case when s.name is null then ${firstPrompt} end as first_prompt,
      s.failure, s.origin, s.created_by, s.provisioning_at, s.updated_at
    from project_sessions s
    where s.status = 'failed' and s.deleted_at is null and s.project_id = any(${project_ids}::uuid[])
      and s.origin <> 'system'
    order by s.updated_at desc limit ${maxItems}`.execute(db)
  return rows
}

export interface OpenChange {
  readonly cr_id: string
  readonly project_id: string
  readonly number: number
  readonly title: string
  readonly base_ref: string
  readonly head_ref: string
  readonly head_commit_sha: string | null
  readonly base_commit_sha: string | null
  readonly origin_session_id: string | null
  readonly created_by: string
  readonly updated_at: Date
}

export async function openChanges(db: Db, project_ids: Projects): Promise<OpenChange[]> {
  const { rows } = await sql<OpenChange>`
    select cr_id, project_id, number, title, base_ref, head_ref, head_commit_sha, base_commit_sha,
      origin_session_id, created_by, updated_at
    from change_requests where status = 'open' and project_id = any(${project_ids}::uuid[])
    order by updated_at desc limit ${maxItems}`.execute(db)
  return rows
}

export interface FailedTrigger {
  readonly project_id: string
  readonly slug: string
  readonly last_error: string | null
  readonly last_attempt_at: Date | null
  readonly fire_id: string | null
  readonly session_id: string | null
}

/** Triggers whose last fire failed, each with that fire. */
export async function failedTriggers(db: Db, project_ids: Projects): Promise<FailedTrigger[]> {
  const { rows } = await sql<FailedTrigger>`
    select t.project_id, t.slug, t.last_error, t.last_attempt_at, fire.fire_id, fire.session_id
    from project_triggers t left join lateral (
      select fire_id, session_id from trigger_fires
      where trigger_fires.project_id = t.project_id and trigger_fires.slug = t.slug and status = 'failed'
      order by created_at desc, fire_id desc limit 1
    ) fire on true
    where t.last_status = 'failed' and t.enabled and t.project_id = any(${project_ids}::uuid[])
    order by t.last_attempt_at desc nulls last limit ${maxItems}`.execute(db)
  return rows
}

export type OpenReview = Pick<
  ReviewItemRow,
  'review_id' | 'project_id' | 'session_id' | 'kind' | 'title' | 'summary' | 'risk' | 'version' | 'updated_at'
>

export async function openReviews(db: Db, project_ids: Projects): Promise<OpenReview[]> {
  const { rows } = await sql<OpenReview>`
    select review_id, project_id, session_id, kind, title, left(summary, 300) as summary, risk, version, updated_at
    from review_items where status = 'needs_you' and project_id = any(${project_ids}::uuid[])
    order by updated_at desc limit ${maxItems}`.execute(db)
  return rows
}

export type PendingApproval = Pick<
  ConnectorCallRow,
  'call_id' | 'project_id' | 'session_id' | 'slug' | 'action' | 'risk'
> &
  Pick<ApprovalRow, 'digest' | 'created_at' | 'expires_at'>

export async function pendingApprovals(db: Db, project_ids: Projects, now: Date): Promise<PendingApproval[]> {
  const { rows } = await sql<PendingApproval>`
    select a.call_id, a.project_id, c.session_id, c.slug, c.action, c.risk, a.digest, a.created_at, a.expires_at
    from connector_approvals a join connector_calls c using (call_id)
    where a.status = 'pending' and a.project_id = any(${project_ids}::uuid[]) and a.expires_at > ${now}
    order by a.expires_at limit ${maxItems}`.execute(db)
  return rows
}

export type UnknownCall = Pick<
  ConnectorCallRow,
  'call_id' | 'project_id' | 'session_id' | 'slug' | 'action'
> & { readonly ended_at: Date }

export async function unknownCalls(db: Db, project_ids: Projects): Promise<UnknownCall[]> {
  const { rows } = await sql<UnknownCall>`
    select call_id, project_id, session_id, slug, action, ended_at from connector_calls
    where status = 'unknown' and project_id = any(${project_ids}::uuid[])
    order by ended_at desc limit ${maxItems}`.execute(db)
  return rows
}

export interface InvalidManifest {
  readonly project_id: string
  readonly tip_sha: string | null
  readonly errors: number
  readonly path: string | null
  readonly message: string | null
  readonly checked_at: Date
}

export async function invalidManifests(db: Db, project_ids: Projects): Promise<InvalidManifest[]> {
  const { rows } = await sql<InvalidManifest>`
    select project_id, source as tip_sha, (manifest ->> 'errors')::int as errors, manifest ->> 'path' as path,
      manifest ->> 'message' as message, checked_at
    from trigger_catalogues
    where (manifest ->> 'errors')::int > 0 and project_id = any(${project_ids}::uuid[]) and checked_at is not null
    order by checked_at desc limit ${maxItems}`.execute(db)
  return rows
}

export interface MissingSecret {
  readonly project_id: string
  readonly name: string
  readonly checked_at: Date
}

/** Secrets that a manifest on a default branch requires, and that the project does not have. */
export async function missingSecrets(db: Db, project_ids: Projects): Promise<MissingSecret[]> {
  const { rows } = await sql<MissingSecret>`
    select catalogue.project_id, required.name, catalogue.checked_at
    from trigger_catalogues catalogue
    cross join lateral jsonb_array_elements_text(catalogue.manifest -> 'required_secrets') as required (name)
    where catalogue.project_id = any(${project_ids}::uuid[]) and catalogue.checked_at is not null
      and jsonb_typeof(catalogue.manifest -> 'required_secrets') = 'array'
      and not exists (select from project_secrets
        where project_secrets.project_id = catalogue.project_id and project_secrets.name = required.name)
    order by catalogue.checked_at desc, required.name limit ${maxItems}`.execute(db)
  return rows
}

export interface BrokenSubscription {
  readonly subscription_id: string
  readonly project_id: string
  readonly name: string | null
  readonly url: string
  readonly disabled_reason: 'gone' | 'too_many_failures'
  readonly disabled_at: Date
}

export async function brokenSubscriptions(db: Db, project_ids: Projects): Promise<BrokenSubscription[]> {
  const { rows } = await sql<BrokenSubscription>`
    select subscription_id, project_id, name, url, disabled_reason, disabled_at from event_subscriptions
    where disabled_reason in ('gone', 'too_many_failures') and project_id = any(${project_ids}::uuid[])
    order by disabled_at desc limit ${maxItems}`.execute(db)
  return rows
}
