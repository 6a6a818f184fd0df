import type { AskKind } from '@svc/facts'
import type { SessionFailure } from '@svc/session'
import { sql } from 'kysely'
import type { ApprovalRow, ConnectorCallRow } from '../connectors/connectors.table.ts'
import type { ReviewItemRow } from '../reviews/review-items.table.ts'
import { firstPrompt } from '../sessions/first-prompt.ts'
import type { AskedTool } from '../sessions/session-asks.table.ts'
import { instant, maxItems, type Waiting } from './waiting.ts'

export { countOf } from './count-waiting.ts'
export { type FullBudget, fullBudgets } from './full-budgets.ts'
export { type LostConnection, lostConnections } from './lost-connections.ts'
export { type Notice, notices } from './notices.ts'
export { read, type Waiting } from './waiting.ts'

/** Rows that wait for people in these projects: of each kind those that are open, the newest first, or what expires first. */
type Projects = readonly string[]

/** A person, with the projects that they manage. */
export interface Waiter {
  readonly user_id: string
  readonly managed: Projects
}

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
}

/**
 * Asks of one kind that the person may answer, as the session's own route decides: its owner, the managers, and where it is
 * shared all who may start sessions.
 */
export const asks = (
  kind: AskKind,
  project_ids: Projects,
  { user_id, managed }: Waiter,
): Waiting<OpenAsk> => ({
  rows: sql`
    select ask.session_id || '.' || ask.request_id as id, ${instant('ask.asked_at')} as version,
      ask.request_id, ask.session_id, ask.project_id, ask.body, ask.tool, ask.asked_at, ask.expires_at,
      s.name, case when s.name is null then ${firstPrompt} end as first_prompt
    from session_asks ask join project_sessions s using (session_id)
    where ask.state = 'asked' and ask.project_id = any(${project_ids}::uuid[]) and ask.kind = ${kind}
      and s.deleted_at is null and s.status = 'running'
      and (s.created_by = ${user_id} or (not s.holds_personal_secrets
        and (s.visibility = 'project' or ask.project_id = any(${managed}::uuid[]))))
    order by ask.expires_at nulls last, ask.asked_at limit ${maxItems}`,
})

export interface FailedSession {
  readonly session_id: string
  readonly project_id: string
  readonly name: string | null
  readonly first_prompt: string | null
  readonly failure: SessionFailure | null
  readonly updated_at: Date
}

/** Sessions that failed: the person's own, and those of triggers of projects that they manage. */
export const failedSessions = (
  project_ids: Projects,
  { user_id, managed }: Waiter,
): Waiting<FailedSession> => ({
  // The one that is started again, and fails again, is back.
  rows: sql`
    select s.session_id::text as id, ${instant('s.provisioning_at')} as version,
      s.session_id, s.project_id, s.name, case when s.name is null then ${firstPrompt} end as first_prompt,
      s.failure, s.updated_at
    from project_sessions s
    where s.status = 'failed' and s.deleted_at is null and s.project_id = any(${project_ids}::uuid[])
      and s.origin <> 'system'
      and (s.created_by = ${user_id} or (s.origin = 'trigger' and s.project_id = any(${managed}::uuid[])))
    order by s.updated_at desc limit ${maxItems}`,
})

export interface OpenChange {
  readonly project_id: string
  readonly number: number
  readonly title: string
  readonly base_ref: string
  readonly head_ref: string
  readonly origin_session_id: string | null
  readonly updated_at: Date
}

/** Open change requests that the person may merge, or has opened. Another head is another version. */
export const openChanges = (
  project_ids: Projects,
  { user_id, mergeable }: { readonly user_id: string; readonly mergeable: Projects },
): Waiting<OpenChange> => ({
  rows: sql`
    select cr_id::text as id, coalesce(head_commit_sha, 'none') as version, project_id, number, title, base_ref,
      head_ref, origin_session_id, updated_at
    from change_requests where status = 'open' and project_id = any(${project_ids}::uuid[])
      and (created_by = ${user_id} or project_id = any(${mergeable}::uuid[]))
    order by updated_at desc limit ${maxItems}`,
})

export interface FailedTrigger {
  readonly project_id: string
  readonly slug: string
  readonly last_error: string | null
  readonly last_attempt_at: Date | null
  readonly fire_id: string | null
  readonly session_id: string | null
}

/** Triggers whose last fire failed, each with that fire. */
export const failedTriggers = (project_ids: Projects): Waiting<FailedTrigger> => ({
  rows: sql`
    select t.project_id || '.' || t.slug as id,
      coalesce(fire.fire_id::text, ${instant('t.last_attempt_at')}, 'none') as version,
      t.project_id, t.slug, t.last_error, t.last_attempt_at, fire.fire_id, fire.session_id
    from project_triggers t left join lateral (
      select fire_id, session_id from trigger_fires
      where trigger_fires.project_id = t.project_id and trigger_fires.slug = t.slug and status = 'failed'
      order by created_at desc, fire_id desc limit 1
    ) fire on true
    where t.last_status = 'failed' and t.enabled and t.project_id = any(${project_ids}::uuid[])
    order by t.last_attempt_at desc nulls last limit ${maxItems}`,
})

export type OpenReview = Pick<
  ReviewItemRow,
  'review_id' | 'project_id' | 'session_id' | 'kind' | 'title' | 'summary' | 'risk' | 'updated_at'
>

/** Work and decisions that were shown. The next version is a new thing to look at. */
export const openReviews = (project_ids: Projects): Waiting<OpenReview> => ({
  rows: sql`
    select review_id::text as id, version::text as version, review_id, project_id, session_id, kind, title,
      left(summary, 300) as summary, risk, updated_at
    from review_items where status = 'needs_you' and project_id = any(${project_ids}::uuid[])
    order by updated_at desc limit ${maxItems}`,
})

export type PendingApproval = Pick<
  ConnectorCallRow,
  'call_id' | 'project_id' | 'session_id' | 'slug' | 'action' | 'risk'
> &
  Pick<ApprovalRow, 'created_at' | 'expires_at'>

/**
 * Calls of connectors that are frozen until a person decides. They end with a decision or their time. An outer join of what
 * is always there: one that counts does not look at the calls then.
 */
export const pendingApprovals = (project_ids: Projects, now: Date): Waiting<PendingApproval> => ({
  rows: sql`
    select a.call_id::text as id, a.digest as version, a.call_id, a.project_id, c.session_id, c.slug, c.action, c.risk,
      a.created_at, a.expires_at
    from connector_approvals a left join connector_calls c using (call_id)
    where a.status = 'pending' and a.project_id = any(${project_ids}::uuid[]) and a.expires_at > ${now}
    order by a.expires_at limit ${maxItems}`,
})

export type UnknownCall = Pick<
  ConnectorCallRow,
  'call_id' | 'project_id' | 'session_id' | 'slug' | 'action'
> & { readonly ended_at: Date }

/** Calls of connectors whose end was not seen. */
export const unknownCalls = (project_ids: Projects): Waiting<UnknownCall> => ({
  rows: sql`
    select call_id::text as id, '1' as version, call_id, project_id, session_id, slug, action, ended_at
    from connector_calls
    where status = 'unknown' and project_id = any(${project_ids}::uuid[])
    order by ended_at desc limit ${maxItems}`,
})

export interface InvalidManifest {
  readonly project_id: string
  readonly errors: number
  readonly path: string | null
  readonly message: string | null
  readonly checked_at: Date
}

/** Manifests on default branches that have errors. */
export const invalidManifests = (project_ids: Projects): Waiting<InvalidManifest> => ({
  rows: sql`
    select project_id::text as id, left(encode(sha256(convert_to(coalesce(source, ''), 'UTF8')), 'hex'), 16) as version,
      project_id, (manifest ->> 'errors')::int as errors, manifest ->> 'path' as path,
      manifest ->> 'message' as message, checked_at
    from trigger_catalogues
    where (manifest ->> 'errors')::int > 0 and project_id = any(${project_ids}::uuid[]) and checked_at is not null
    order by checked_at desc limit ${maxItems}`,
})

export interface MissingSecret {
  readonly project_id: string
  readonly name: string
  readonly checked_at: Date
}

/** Secrets that a manifest on a default branch requires, and that the project does not have. */
export const missingSecrets = (project_ids: Projects): Waiting<MissingSecret> => ({
  rows: sql`
    select catalogue.project_id || '.' || required.name as id, required.name as version, catalogue.project_id,
      required.name, catalogue.checked_at
    from trigger_catalogues catalogue
    cross join lateral jsonb_array_elements_text(catalogue.manifest -> 'required_secrets') as required (name)
    where catalogue.project_id = any(${project_ids}::uuid[]) and catalogue.checked_at is not null
      and jsonb_typeof(catalogue.manifest -> 'required_secrets') = 'array'
      and catalogue.manifest -> 'required_secrets' <> '[]'
      and not exists (select from project_secrets
        where project_secrets.project_id = catalogue.project_id and project_secrets.name = required.name)
    order by catalogue.checked_at desc, required.name limit ${maxItems}`,
})
