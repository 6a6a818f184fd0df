import type { InboxKind } from '@svc/facts'

/** A thing that waits for a person, as its kind tells it. What does not apply is left out, and null in the answer. */
export interface InboxEntry {
  readonly id: string
  readonly version: string
  readonly project_id: string
  readonly title: string
  readonly phrase: string
  readonly at: Date
  readonly path: string
  readonly expires_at?: Date | null
  readonly session_id?: string | null
  readonly cr_number?: number
  readonly request_id?: string
  readonly slug?: string
  readonly fire_id?: string | null
  readonly risk?: 'low' | 'medium' | 'high' | null
  /** May be approved together with others. */
  readonly safe?: boolean
  readonly count?: number
}

/** An entry with its kind and the place that it is in. */
export interface WaitingItem extends InboxEntry {
  readonly item_id: string
  readonly kind: InboxKind
  readonly project_name: string
}
