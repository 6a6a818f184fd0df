import type { PlatformEventRow } from '@svc/db'

/** The same object for lists, streams and deliveries. */
export function presentEvent(row: PlatformEventRow) {
  return {
    type: row.type,
    timestamp: row.occurred_at.toISOString(),
    id: row.event_id,
    account_id: row.account_id,
    project_id: row.project_id,
    sequence: row.seq ?? 0,
    data: row.data,
  }
}

export type PresentedEvent = ReturnType<typeof presentEvent>
