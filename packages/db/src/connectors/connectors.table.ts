import type { ActionState, ApprovalStatus, CallStatus, JsonObject, Risk } from '@svc/connector/states'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

export const connectorStatuses = ['syncing', 'ready', 'needs_connection', 'error'] as const
export type ConnectorStatus = (typeof connectorStatuses)[number]

/** A connector as the default branch declares it, and what is known of its service. */
export interface ConnectorTable {
  project_id: string
  slug: string
  position: number
  /** As the manifest’s reader made it. */
  definition: JSONColumnType<JsonObject>
  definition_digest: string
  provider: string
  status: ConnectorStatus
  /** The reason why its actions could not be read, for people. */
  error: string | null
  /** Of all its actions together; null until they were read once. */
  catalogue_digest: string | null
  synced_at: Date | null
  sync_due_at: Date | null
}

export interface ConnectorActionTable {
  project_id: string
  slug: string
  action: string
  position: number
  title: string | null
  description: string
  risk: Risk
  input_schema: JSONColumnType<JsonObject>
  binding: JSONColumnType<JsonObject>
  digest: string
  /** Of the form that a person accepted; null for what appeared since. */
  accepted_digest: string | null
  state: ActionState
}

export const connectionKinds = ['credential', 'oauth2', 'aggregator', 'computer'] as const
export type ConnectionKind = (typeof connectionKinds)[number]
export const connectionStatuses = ['pending', 'active', 'expired', 'revoked'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

export interface ConnectionTable {
  connection_id: string
  project_id: string
  slug: string
  /** The person whose it is; null for one of the project's. */
  user_id: string | null
  label: string
  kind: ConnectionKind
  /** Null unless it is active, and where nothing secret belongs to it. */
  sealed_credential: string | null
  field_names: string[]
  /** Scheme, host and port that it was made for: it is sent nowhere else. */
  origin: string | null
  /** Its name at an aggregator. */
  external_ref: string | null
  status: ConnectionStatus
  is_default: Generated<boolean>
  expires_at: Date | null
  last_used_at: Date | null
  last_error: string | null
  created_by: string | null
  created_at: Date
  updated_at: Date
}

export const authorizationStatuses = ['pending', 'returned', 'connected', 'failed', 'expired'] as const
export type AuthorizationStatus = (typeof authorizationStatuses)[number]

export interface AuthorizationTable {
  authorization_id: string
  project_id: string
  slug: string
  user_id: string
  connection_id: string
  state_hash: Buffer
  sealed_verifier: string | null
  issuer: string | null
  resource: string | null
  sealed_code: string | null
  status: AuthorizationStatus
  error: string | null
  created_at: Date
  expires_at: Date
}

export interface ConnectorOAuthClientTable {
  project_id: string
  issuer: string
  redirect_uri: string
  client_id: string
  sealed_secret: string | null
}

/** A paired computer that is connected, by the connection that it serves. */
export interface ComputerTable {
  connection_id: string
  project_id: string
  /** The executor that has its WebSocket. */
  holder: string
  /** The origin at which other executors reach that one; null where they cannot. */
  address: string | null
  /** As the computer names itself. */
  name: string
  connected_at: Date
  seen_at: Date
}

export const callDoors = ['executor', 'rest', 'mcp'] as const
export type CallDoor = (typeof callDoors)[number]

/** The caller as the ledger names it. */
export interface CallActor {
  readonly type: 'user' | 'project' | 'session' | 'service'
  /** The user or service account whose power it is. */
  readonly user_id: string
}

/** The rule that decided about a call. */
export interface CallRule {
  readonly source: 'policy' | 'default' | 'changed'
  readonly index: number | null
  readonly match: string | null
}

/** One call of an action, from the question to the delivery of its end. */
export interface CallTable {
  call_id: string
  project_id: string
  session_id: string | null
  slug: string
  action: string
  provider: string
  connection_id: string | null
  actor: JSONColumnType<CallActor>
  /** The session, or else the user: the one whose idempotency keys are apart from others'. */
  actor_id: string
  door: CallDoor
  risk: Risk
  rule: JSONColumnType<CallRule | null, string | null, string | null>
  request_digest: string
  idempotency_key: string | null
  status: CallStatus
  reason: string | null
  message: string | null
  /** A person said how it ended: its end was not seen. */
  settled: Generated<boolean>
  upstream_status: number | null
  bytes_out: number | null
  bytes_in: number | null
  ms: number | null
  attempt_id: string | null
  /** Another with each claim. */
  fence: Generated<number>
  started_at: Date | null
  /** Written before the first byte left: without it, nothing did. */
  sent_at: Date | null
  ended_at: Date | null
  sealed_request: string | null
  sealed_result: string | null
  /** Until then its caller waits for the answer. */
  waited_until: Date | null
  delivery: 'owed' | 'inline' | 'prompt' | null
  delivery_owed_at: Date | null
  delivered_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ApprovalTable {
  call_id: string
  project_id: string
  status: ApprovalStatus
  digest: string
  expires_at: Date
  /** Another person than the one who launched the session has to decide. */
  second_person: boolean
  decided_by: string | null
  decided_sign_in_id: string | null
  decision: 'approve' | 'deny' | null
  message: string | null
  decided_at: Date | null
  created_at: Date
}

export interface TriggerBindingTable {
  project_id: string
  trigger_slug: string
  slug: string
  connection_id: string
}

export type ConnectorRow = Selectable<ConnectorTable>
export type ConnectorActionRow = Selectable<ConnectorActionTable>
export type ConnectionRow = Selectable<ConnectionTable>
export type ComputerRow = Selectable<ComputerTable>
export type AuthorizationRow = Selectable<AuthorizationTable>
export type ConnectorCallRow = Selectable<CallTable>
export type ApprovalRow = Selectable<ApprovalTable>
