import type { EventPartitionState } from '@svc/session'
import type { Generated } from 'kysely'

/** A month of the log of sessions. */
export interface EventPartitionTable {
  name: string
  from_at: Date
  to_at: Date
  state: EventPartitionState
  /** Counted when it is sealed. */
  rows: number | null
  bytes: number | null
  updated_at: Generated<Date>
}
