import type { Capability, RuntimeName } from '@svc/facts'
import type { SessionFailure, SessionOrigin, SessionStatus, StopReason } from '@svc/session'
import type { Generated, JSONColumnType, Selectable, Updateable } from 'kysely'

/** The creator's requests that the sandbox-worker needs at every boot. */
export interface RequestedSession {
  readonly secrets?: readonly string[]
  readonly runtime_context?: Readonly<Record<string, string | number | boolean | null>>
  readonly connector_bindings?: Readonly<Record<string, { readonly connection_id: string }>>
  /** The only keys of model providers that its calls use, by their slugs. */
  readonly provider_secret_pools?: Readonly<Record<string, readonly string[]>>
  readonly sandbox_slug?: string
  readonly provider?: string
  /** No agent works in it: it runs the project's monitors. */
  readonly monitors?: true
  /** The manifest's runtime, where it is not the default: the sandbox starts it before it has the repository. */
  readonly runtime?: RuntimeName
  /** The only skills that the runtime offers; every one that there is when absent. */
  readonly skills?: readonly string[]
  /** Connectors of the manifest that the agent may use, with the connections that the creator chose. */
  readonly connectors?: readonly { readonly slug: string; readonly connection_id: string | null }[]
}

export interface SessionTable {
  session_id: string
  account_id: string
  project_id: string
  branch_name: string
  base_ref: string
  status: SessionStatus
  stop_reason: StopReason | null
  failure: JSONColumnType<SessionFailure | null, string | null, string | null>
  agent_name: string
  /** Capabilities of the agent, as resolved from the manifest when the session was created. */
  agent_grant: JSONColumnType<Capability[], string, string>
  merge_granted: boolean
  model: string | null
  name: string | null
  metadata: JSONColumnType<Record<string, unknown>, string | undefined, string>
  origin: SessionOrigin
  origin_ref: string | null
  labels: string[]
  parent_session_id: string | null
  /** The sessions that it descends from, the first of its tree first and its parent last. */
  ancestor_session_ids: Generated<string[]>
  requested: JSONColumnType<RequestedSession, string | undefined, string>
  visibility: Generated<'private' | 'project'>
  /** A sandbox of it was given a personal secret of its owner: other people do not see into it. */
  holds_personal_secrets: Generated<boolean>
  /** The first event that is kept. */
  first_event_seq: Generated<number>
  last_event_seq: Generated<number>
  last_event_at: Generated<Date | null>
  /** Micro-dollars, of all that its runtimes told of. */
  cost_micros: Generated<number>
  /** Of that, what the gateway's rows said. */
  reported_micros: Generated<number>
  /** Wakes for owed work after it had ended by itself, since a turn last began. */
  wakes_after_exit: Generated<number>
  /** Another with every change of a column that is shown. */
  shown_revision: Generated<string>
  created_by: string
  created_at: Date
  updated_at: Date
  provisioning_at: Date
  started_at: Date | null
  stopped_at: Date | null
  deleted_at: Date | null
}

export interface SessionIdempotencyKeyTable {
  idempotency_key: string
  project_id: string
  session_id: string
  request_hash: string
  /** A hash per field that has a conflict of its own; null on keys from before, whose request_hash is of all. */
  field_hashes: JSONColumnType<Readonly<Record<string, string>> | null, string, never>
  created_by: string | null
  created_at: Date
}

export type SessionRow = Selectable<SessionTable>
export type SessionPatch = Updateable<SessionTable>
