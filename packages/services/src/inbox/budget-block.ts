import { inboxItems } from '@svc/db'
import { usd } from '@svc/facts'
import type { InboxAdapter } from './kinds.ts'

/** Budgets that refuse calls of a project, for people who may raise them: an account's, for its admins. */
export const budgetBlock: InboxAdapter = async (ctx, scope) => {
  const raising = scope.holding('project.gateway.budget.set')
  const rows = await inboxItems.fullBudgets(ctx.db, raising, scope.administered)
  return rows.map((row) => ({
    id: row.subject === null ? row.budget_id : `${row.budget_id}.${row.subject}`,
    // What was looked at: another window, or another cap that does not do either, is a new thing.
    version: `${row.window_start?.toISOString() ?? 'call'} ${row.cap_micros}`,
    project_id: row.project_id,
    session_id: row.level === 'session' ? row.session_id : null,
    title: row.name,
    phrase:
      row.level === 'call'
        ? `Refuses calls that may cost more than ${usd(row.cap_micros)}`
        : `Refuses calls: ${usd(row.spent_micros)} of ${usd(row.cap_micros)} spent`,
    at: row.at,
    expires_at: row.resets_at,
    path: `/projects/${row.project_id}/models`,
    count: row.refused,
  }))
}
