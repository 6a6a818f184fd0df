import { inboxItems } from '@svc/db'
import { usd } from '@svc/facts'
import { adapterOf } from './adapter.ts'

/** Budgets that refuse calls of a project, for people who may raise them: an account's, for its admins. */
export const budgetBlock = adapterOf({
  rows: (scope) => inboxItems.fullBudgets(scope.holding('project.gateway.budget.set'), scope.administered),
  entry: (row) => ({
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
  }),
})
