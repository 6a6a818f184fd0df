import type { CheckName, Finding } from '@svc/facts'
import type { CheckPartState } from '@svc/session'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface CheckRunTable {
  run_id: string
  checks: CheckName[]
  /** The one project that is looked at; null for the whole platform. */
  project_id: string | null
  repair: boolean
  asked_by: string
  started_at: Date
}

/** The worker whose queue it is owes the part its end. */
export interface CheckPartTable {
  run_id: string
  queue: 'merge' | 'session'
  state: Generated<CheckPartState>
  findings: JSONColumnType<readonly Finding[], string | undefined, string>
  /** The last sign of life of the worker that is at it. */
  beat_at: Date
  finished_at: Date | null
}

export type CheckRunRow = Selectable<CheckRunTable>
export type CheckPartRow = Selectable<CheckPartTable>
