import { budgets } from '@svc/db'
import { type AskedPlace, type Changing, enterPlace, noSuchBudget, recordBudget } from './place.ts'

/** Removes a budget with its windows: it bounds no call any more. */
export async function deleteBudget(ctx: Changing, asked: AskedPlace, budget_id: string): Promise<void> {
  const place = await enterPlace(ctx, asked, 'project.gateway.budget.set')
  await ctx.db.transaction().execute(async (tx) => {
    await budgets.lockPlace(tx, place)
    const before = await budgets.find(tx, place, budget_id)
    if (before === undefined) throw noSuchBudget()
    await budgets.remove(tx, budget_id)
    const { name, level, subject, period, cap_micros, mode } = before
    const details = { name, level, subject, period, cap_micros, mode }
    await recordBudget(ctx, tx, place, { verb: 'delete', budget_id, details })
  })
}
