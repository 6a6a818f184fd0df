import type { BudgetLevel, BudgetMode, BudgetPeriod } from '@svc/facts'
import type { Generated, Selectable } from 'kysely'

export interface BudgetTable {
  budget_id: string
  account_id: string
  /** Null for one of the account. */
  project_id: string | null
  name: string
  level: BudgetLevel
  /** Session, slug, agent or token; null: each of them by itself. */
  subject: string | null
  period: BudgetPeriod
  cap_micros: number
  mode: BudgetMode
  created_by: string
  created_at: Date
  updated_at: Date
}

export type BudgetRow = Selectable<BudgetTable>

export interface BudgetWindowTable {
  budget_id: string
  subject: string
  window_start: Date
  /** Null for the window of all time. */
  resets_at: Date | null
  lock_order: number
  spent_micros: Generated<number>
  held_micros: Generated<number>
  /** The highest threshold that was crossed. */
  alerted: Generated<number>
}

export interface HoldTable {
  call_id: string
  live: Generated<true>
  budget_id: string
  subject: string
  window_start: Date
  held_micros: number
}

export interface BudgetAlertTable {
  budget_id: string
  subject: string
  window_start: Date
  threshold: number
  call_id: string
  spent_micros: number
  cap_micros: number
  at: Date
  /** Null until audit log and session heard of it. */
  reported_at: Date | null
}
