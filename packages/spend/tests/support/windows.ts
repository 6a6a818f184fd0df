import type { Db } from '@svc/db'
import { sql } from 'kysely'
import { expect } from 'vitest'

export interface Window {
  readonly budget_id: string
  readonly subject: string
  readonly spent_micros: number
  readonly held_micros: number
}

export async function windowsOf(db: Db, account_id: string): Promise<Window[]> {
  const { rows } = await sql<Window>`
    select w.budget_id, w.subject, w.spent_micros, w.held_micros from gateway_budget_windows w
      join gateway_budgets b using (budget_id)
    where b.account_id = ${account_id} order by w.budget_id, w.subject`.execute(db)
  return rows
}

/** Says whether what is held is what the live calls hold, no budget is over its cap, and the ledger adds up. */
export async function expectBalanced(db: Db): Promise<void> {
  const { rows: held } = await sql`
    select w.budget_id, w.subject, w.held_micros, coalesce(sum(h.held_micros), 0) as live from gateway_budget_windows w
      left join (select h.* from gateway_holds h join gateway_calls c using (call_id) where c.live) h
        using (budget_id, subject, window_start)
    group by w.budget_id, w.subject, w.window_start, w.held_micros
    having w.held_micros <> coalesce(sum(h.held_micros), 0)`.execute(db)
  expect(held).toEqual([])
  const { rows: over } = await sql`
    select * from gateway_budget_windows w join gateway_budgets b using (budget_id)
    where b.mode = 'block' and w.spent_micros + w.held_micros > b.cap_micros`.execute(db)
  expect(over).toEqual([])
  const { rows: ledgers } = await sql`
    select a.account_id, a.balance_micros, sum(l.amount_micros) from credit_accounts a
      left join credit_ledger l using (account_id)
    group by a.account_id having a.balance_micros <> coalesce(sum(l.amount_micros), 0)`.execute(db)
  expect(ledgers).toEqual([])
  const { rows: credit } = await sql`
    select a.account_id, a.held_micros from credit_accounts a left join gateway_calls c
      on c.account_id = a.account_id and c.live
    group by a.account_id having a.held_micros <> coalesce(sum(c.credit_hold_micros), 0)`.execute(db)
  expect(credit).toEqual([])
}
