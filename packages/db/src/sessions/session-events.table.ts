import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface SessionEventTable {
  session_id: string
  seq: number
  type: string
  at: Date
  payload: JSONColumnType<Record<string, unknown>, string, never>
  /** The reporter's own id: a repeated report counts once. */
  event_id: string | null
  /** The server's clock, which says the month that keeps it; `at` is the reporter's. */
  stored_at: Generated<Date>
}

export type SessionEventRow = Selectable<SessionEventTable>
