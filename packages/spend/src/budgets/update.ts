import { budgets } from '@svc/db'
import { type AskedPlace, type Changing, enterPlace, noSuchBudget, recordBudget, twin } from './place.ts'

export type BudgetChanges = Pick<budgets.BudgetChange, 'name' | 'cap_micros' | 'mode'>

/** Changes what is named; it holds from the next call, and changes nothing that was. */
export async function updateBudget(
  ctx: Changing,
  asked: AskedPlace,
  budget_id: string,
  { name, cap_micros, mode }: BudgetChanges,
) {
  const place = await enterPlace(ctx, asked, 'project.gateway.budget.set')
  await ctx.db.transaction().execute(async (tx) => {
    await budgets.lockPlace(tx, place)
    const before = await budgets.find(tx, place, budget_id)
    if (before === undefined) throw noSuchBudget()
    const wanted = { name, cap_micros, mode }
    const changed = Object.entries(wanted).filter(
      ([key, value]) => value !== undefined && value !== before[key as keyof typeof wanted],
    )
    if (changed.length === 0) return
    if (mode !== undefined && mode !== before.mode) {
      const other = await budgets.findTwin(tx, place, { ...before, mode })
      if (other !== undefined) throw twin(other)
    }
    await budgets.update(tx, budget_id, { ...wanted, updated_at: ctx.now() })
    await recordBudget(ctx, tx, place, { verb: 'update', budget_id, details: Object.fromEntries(changed) })
  })
  const now = await budgets.find(ctx.db, place, budget_id)
  if (now === undefined) throw noSuchBudget()
  return now
}
