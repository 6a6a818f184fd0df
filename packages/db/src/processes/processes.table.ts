import type { ColumnType, Generated, Selectable } from 'kysely'

export interface ProcessTable {
  process_id: string
  service: string
  version: string
  commit: string
  /** The newest level of the schema that its build knows. */
  schema_level: number
  /** Name of the host. */
  machine: string
  pid: number
  /** As many to PostgreSQL as it may open; 0 where its release did not say. */
  connections: Generated<number>
  state: Generated<'running' | 'draining'>
  drain_reason: string | null
  started_at: ColumnType<Date, Date, never>
  beat_at: Date
}

export type ProcessRow = Selectable<ProcessTable>
