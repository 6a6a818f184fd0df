import type { JSONColumnType, Selectable } from 'kysely'

export const auditOutcomes = ['success', 'denied', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]
export type AuditActorType =
  'user' | 'project' | 'session' | 'sandbox' | 'gateway' | 'service' | 'scim' | 'system'

/** The caller who asked for work, and from where: kept beside the work, since its event is written when it ends. */
export interface AuditAsker {
  readonly actor: { readonly type: AuditActorType; readonly id: string; readonly on_behalf_of: string | null }
  readonly session_id: string | null
  readonly request_id: string | null
  readonly ip: string | null
  /** The app that acted for the person. */
  readonly oauth_client_id?: string
  /** The channel in which the person wrote or pressed. */
  readonly channel?: string
}

/** The end of each account's chain. */
export interface AuditHeadTable {
  account_id: string
  seq: number
  prev_hash: string
  hash: string
}

/** The last event of an account that was pruned: the first one that is left follows it. */
export interface AuditAnchorTable {
  account_id: string
  seq: number
  hash: string
  at: Date
}

/** Append-only: a trigger refuses every change. Only moving the anchor takes events away. */
export interface AuditEventTable {
  account_id: string
  seq: number
  event_id: string
  at: Date
  project_id: string | null
  session_id: string | null
  actor_type: AuditActorType
  actor_id: string
  on_behalf_of: string | null
  action: string
  target: string
  outcome: AuditOutcome
  request_id: string | null
  ip: string | null
  details: JSONColumnType<Record<string, unknown>>
  prev_hash: string
  hash: string
}

export type AuditEventRow = Selectable<AuditEventTable>
