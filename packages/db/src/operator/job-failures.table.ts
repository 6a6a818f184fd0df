import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface JobFailureTable {
  failure_id: string
  queue: string
  job: string
  /** The row that the job is about. */
  row_id: string
  ids: JSONColumnType<Readonly<Record<string, string>>>
  /** Without secrets. */
  error: string
  /** Failures since the last success. */
  attempts: Generated<number>
  request_id: string | null
  failed_at: Date
  resolved_at: Date | null
}

export type JobFailureRow = Selectable<JobFailureTable>
