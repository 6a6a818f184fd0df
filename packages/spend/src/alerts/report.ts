import { type BaseContext, recordAuditFor } from '@svc/context'
import { budgetAlerts, sessionEvents } from '@svc/db'

const batch = 100

/**
 * Reports the thresholds that calls crossed: an audit event, and an event in the session whose call it was. Each once,
 * whichever scheduler comes first. How many.
 */
export async function reportBudgetAlerts(ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>): Promise<number> {
  const unreported = await budgetAlerts.listUnreported(ctx.db, batch)
  let count = 0
  for (const alert of unreported) if (await report(ctx, alert)) count += 1
  return count
}

function report(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  alert: budgetAlerts.UnreportedAlert,
): Promise<boolean> {
  const { budget_id, threshold, spent_micros, cap_micros, session_id, account_id, subject } = alert
  const crossed = { budget_id, threshold, spent_micros, cap_micros }
  const { name, level, period, mode, call_id } = alert
  const project_id = alert.project_id ?? alert.call_project_id
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await budgetAlerts.claim(tx, alert, ctx.now()))) return false
    if (session_id !== null)
      await sessionEvents.append(tx, session_id, [{ type: 'budget', at: alert.at, payload: crossed }])
    const actor = { type: 'gateway', id: alert.token_id ?? call_id, on_behalf_of: null } as const
    const asker = { actor, session_id, request_id: null, ip: null }
    await recordAuditFor(ctx, tx, asker, {
      account_id,
      project_id,
      session_id,
      action: 'budgetThreshold',
      target:
        alert.project_id === null
          ? `budgets/${budget_id}`
          : `projects/${alert.project_id}/budgets/${budget_id}`,
      details: { ...crossed, name, level, period, mode, subject, call_id },
    })
    return true
  })
}
