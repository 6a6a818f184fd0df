import type {
  DisabledReason,
  EventDeliveryState,
  SubscriptionOrdering,
  SubscriptionStatus,
} from '@svc/event/states'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'

/** Written by triggers alone, in the transaction of the change. */
export interface PlatformEventTable {
  event_id: string
  account_id: string
  project_id: string | null
  session_id: string | null
  type: string
  data: JSONColumnType<Readonly<Record<string, unknown>>>
  occurred_at: Date
  /** Its place among the events of the account, without gaps; null until it is published. */
  seq: number | null
  published_at: Date | null
  position: GeneratedAlways<number>
}

export interface PlatformEventHeadTable {
  account_id: string
  last_seq: Generated<number>
}

export interface SubscriptionTable {
  subscription_id: string
  account_id: string
  /** Null for one of the account: it is told of every project. */
  project_id: string | null
  url: string
  name: string | null
  /** Patterns of types. */
  types: string[]
  sealed_data_key: string
  sealed_headers: string | null
  header_names: Generated<string[]>
  ordering: SubscriptionOrdering
  status: SubscriptionStatus
  disabled_reason: DisabledReason | null
  disabled_at: Date | null
  exhausted_in_a_row: Generated<number>
  next_position: Generated<number>
  created_by: string | null
  created_at: Date
  updated_at: Date
}

export interface SubscriptionSecretTable {
  secret_id: string
  subscription_id: string
  sealed_secret: string
  not_after: Date | null
  created_at: Date
}

export interface EventDeliveryTable {
  delivery_id: string
  subscription_id: string
  event_id: string
  position: number
  /** 0 for the first, then counted by replays. */
  replay: Generated<number>
  state: EventDeliveryState
  attempts: Generated<number>
  next_at: Date | null
  lease_until: Date | null
  last_status: number | null
  last_error: string | null
  finished_at: Date | null
  created_at: Date
}

export interface EventAttemptTable {
  delivery_id: string
  number: number
  at: Date
  status: number | null
  duration_ms: number
  error: string | null
  answer: string | null
}

export type PlatformEventRow = Selectable<PlatformEventTable>
export type SubscriptionRow = Selectable<SubscriptionTable>
export type SubscriptionSecretRow = Selectable<SubscriptionSecretTable>
export type EventDeliveryRow = Selectable<EventDeliveryTable>
export type EventAttemptRow = Selectable<EventAttemptTable>
