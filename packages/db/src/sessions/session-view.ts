import type { SandboxRecordStatus } from '@svc/session'
import type { Db } from '../database.ts'
import type { SessionRow } from './sessions.table.ts'

/** A session with what its sandbox record says. */
export interface SessionView extends SessionRow {
  readonly sandbox_provider: string | null
  readonly external_id: string | null
  readonly runtime_session_id: string | null
  readonly runtime_status: SandboxRecordStatus
  readonly sandbox_error: string | null
  readonly sandbox_revision: string
  /** The program that is its agent, and the version of it; null where the sandbox brings it. */
  readonly harness: string
  readonly harness_version: string | null
}

export const sessionColumnNames = [
  'project_sessions.session_id',
  'project_sessions.account_id',
  'project_sessions.project_id',
  'project_sessions.branch_name',
  'project_sessions.base_ref',
  'project_sessions.status',
  'project_sessions.stop_reason',
  'project_sessions.failure',
  'project_sessions.agent_name',
  'project_sessions.agent_grant',
  'project_sessions.merge_granted',
  'project_sessions.model',
  'project_sessions.name',
  'project_sessions.metadata',
  'project_sessions.origin',
  'project_sessions.origin_ref',
  'project_sessions.labels',
  'project_sessions.parent_session_id',
  'project_sessions.ancestor_session_ids',
  'project_sessions.requested',
  'project_sessions.visibility',
  'project_sessions.holds_personal_secrets',
  'project_sessions.first_event_seq',
  'project_sessions.last_event_seq',
  'project_sessions.last_event_at',
  'project_sessions.cost_micros',
  'project_sessions.reported_micros',
  'project_sessions.wakes_after_exit',
  'project_sessions.shown_revision',
  'project_sessions.created_by',
  'project_sessions.created_at',
  'project_sessions.updated_at',
  'project_sessions.provisioning_at',
  'project_sessions.started_at',
  'project_sessions.stopped_at',
  'project_sessions.deleted_at',
] as const

/** Sessions with their sandbox records, each in the columns that are shown. */
export function sessionViews(db: Db) {
  return db
    .selectFrom('project_sessions')
    .innerJoin('session_sandboxes', 'session_sandboxes.session_id', 'project_sessions.session_id')
    .innerJoin('session_runtimes', 'session_runtimes.session_id', 'project_sessions.session_id')
    .select(sessionColumnNames)
    .select([
      'session_sandboxes.provider as sandbox_provider',
      'session_sandboxes.external_id',
      'session_sandboxes.runtime_session_id',
      'session_sandboxes.status as runtime_status',
      'session_sandboxes.error as sandbox_error',
      'session_sandboxes.shown_revision as sandbox_revision',
      'session_runtimes.harness',
      'session_runtimes.version as harness_version',
    ])
}
