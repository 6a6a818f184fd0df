import { sql } from 'kysely'
import type { BudgetAlertTable, BudgetRow } from './budgets.table.ts'
import type { Db } from '../database.ts'

type AlertKey = Pick<BudgetAlertTable, 'budget_id' | 'subject' | 'window_start' | 'threshold'>

/** A threshold that was crossed, with its budget and the call that crossed it. */
export interface UnreportedAlert
  extends
    AlertKey,
    Pick<BudgetAlertTable, 'spent_micros' | 'cap_micros' | 'at'>,
    Pick<BudgetRow, 'account_id' | 'project_id' | 'name' | 'level' | 'period' | 'mode'> {
  readonly call_id: string
  /** Null, as the two after it, once the call is kept no more. */
  readonly call_project_id: string | null
  readonly session_id: string | null
  readonly token_id: string | null
}

/** Alerts of which audit log and session have not heard, the oldest first. */
export async function listUnreported(db: Db, limit: number): Promise<UnreportedAlert[]> {
  const { rows } = await sql<UnreportedAlert>`
    select a.budget_id, a.subject, a.window_start, a.threshold, a.spent_micros, a.cap_micros, a.at, a.call_id,
      b.account_id, b.project_id, b.name, b.level, b.period, b.mode, c.project_id as call_project_id, c.session_id,
      c.token_id
    from gateway_budget_alerts a join gateway_budgets b using (budget_id) left join gateway_calls c using (call_id)
    where a.reported_at is null order by a.at, a.threshold limit ${limit}`.execute(db)
  return rows
}

/** True for the one who is to report it. */
export async function claim(tx: Db, key: AlertKey, reported_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('gateway_budget_alerts')
    .set({ reported_at })
    .where('budget_id', '=', key.budget_id)
    .where('subject', '=', key.subject)
    .where('window_start', '=', key.window_start)
    .where('threshold', '=', key.threshold)
    .where('reported_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
