import type { BudgetLevel } from '@svc/facts'
import { sql } from 'kysely'
import { instant, maxItems, type Waiting } from './waiting.ts'

/** A blocking budget that refused a call, and that still has no room for it. */
export interface FullBudget {
  readonly budget_id: string
  readonly name: string
  readonly level: BudgetLevel
  /** The session, agent or whatever else it is of; null for the level `call`. */
  readonly subject: string | null
  readonly cap_micros: number
  readonly spent_micros: number
  readonly window_start: Date | null
  readonly resets_at: Date | null
  readonly project_id: string
  readonly session_id: string | null
  /** The calls that it refused in this window. */
  readonly refused: number
  readonly at: Date
}

/** A window of all time may have refused its calls long ago: those of this time alone are looked at. */
const recentDays = 32

/**
 * Budgets of these projects that refused calls and are full of what is spent, not of what running calls hold; those of an
 * account for the projects that are `administered`.
 */
export const fullBudgets = (
  project_ids: readonly string[],
  administered: readonly string[],
): Waiting<FullBudget> => ({
  // Another window, or another cap that does not do either, is a new thing.
  rows: sql`
    select case when s.subject is null then b.budget_id::text else b.budget_id || '.' || s.subject end as id,
      coalesce(${instant('w.window_start')}, 'call') || ' ' || b.cap_micros as version, b.budget_id, b.name, b.level, s.subject, b.cap_micros, coalesce(w.spent_micros, 0) as spent_micros,
      w.window_start, w.resets_at, (array_agg(c.project_id order by c.at desc))[1] as project_id,
      (array_agg(c.session_id order by c.at desc))[1] as session_id, count(*)::int as refused, max(c.at) as at
    from gateway_calls c join gateway_budgets b using (budget_id)
      cross join lateral (select case b.level when 'account' then c.account_id::text when 'project' then c.project_id::text
        when 'agent' then c.agent_name when 'trigger' then c.trigger_slug when 'session' then c.session_id::text
        when 'key' then c.token_id::text end as subject) s
      left join gateway_budget_windows w on w.budget_id = b.budget_id and w.subject = s.subject
        and w.window_start = case when b.level <> 'call' then gateway_window_start(b.period, c.at) end
    where c.project_id = any(${project_ids}::uuid[]) and c.at > now() - make_interval(days => ${recentDays})
      and c.budget_id is not null and b.mode = 'block'
      and (b.project_id is not null or c.project_id = any(${administered}::uuid[]))
      and (b.level = 'call' or w.resets_at is null or w.resets_at > now())
      and b.cap_micros - coalesce(w.spent_micros, 0) < greatest(c.floor_micros, 1)
    group by b.budget_id, s.subject, w.spent_micros, w.window_start, w.resets_at
    order by max(c.at) desc limit ${maxItems}`,
})
