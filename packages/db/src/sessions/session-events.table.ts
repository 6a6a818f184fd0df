import type { JSONColumnType, Selectable } from 'kysely'

export interface SessionEventTable {
  session_id: string
  seq: number
  type: string
  at: Date
  payload: JSONColumnType<Record<string, unknown>, string, never>
  /** The reporter's own id: a repeated report counts once. */
  event_id: string | null
}

export type SessionEventRow = Selectable<SessionEventTable>
