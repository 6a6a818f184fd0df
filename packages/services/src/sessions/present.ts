import { type ModelUsage, noModelUsage, type sessions } from '@svc/db'

/** The session as the wire shows it. `failed` always carries the sandbox's own words in `error`. */
export function presentSession(view: sessions.SessionView, usage: ModelUsage = noModelUsage) {
  const { session_id, external_id } = view
  return {
    session_id,
    account_id: view.account_id,
    project_id: view.project_id,
    branch_name: view.branch_name,
    base_ref: view.base_ref,
    status: view.status,
    error: view.failure?.message ?? view.sandbox_error,
    stop_reason: view.stop_reason,
    failure: view.failure,
    agent_name: view.agent_name,
    harness: view.harness,
    harness_version: view.harness_version,
    model: view.model,
    name: view.name,
    metadata: view.metadata,
    origin: view.origin,
    origin_ref: view.origin_ref,
    labels: view.labels,
    parent_session_id: view.parent_session_id,
    sandbox_provider: view.sandbox_provider,
    sandbox_id: session_id,
    external_id,
    runtime_session_id: view.runtime_session_id,
    runtime_status: view.runtime_status,
    runtime_url: external_id === null ? null : `/v1/p/${external_id}/8000/svc/runtime`,
    visibility: view.visibility,
    created_by: view.created_by,
    created_at: view.created_at,
    updated_at: view.updated_at,
    started_at: view.started_at,
    stopped_at: view.stopped_at,
    usage,
  }
}
