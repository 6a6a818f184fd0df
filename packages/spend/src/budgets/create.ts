import { requireActor } from '@svc/context'
import { budgets, type BudgetRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { judgeBudget, type WantedBudget } from './judge.ts'
import { type AskedPlace, type Changing, enterPlace, recordBudget, twin } from './place.ts'

export const maxBudgets = 200

export interface CreateBudgetInput extends WantedBudget {
  readonly name?: string | undefined
  readonly cap_micros: number
  readonly mode: BudgetRow['mode']
}

/** Sets a budget; it holds from the next call. */
export async function createBudget(ctx: Changing, asked: AskedPlace, input: CreateBudgetInput) {
  const place = await enterPlace(ctx, asked, 'project.gateway.budget.set')
  const created_by = requireActor(ctx)
  const judged = await judgeBudget(ctx.db, place, input)
  const { mode, cap_micros, name = defaultName(judged) } = input
  const [budget_id, created_at] = [ctx.newId(), ctx.now()]
  await ctx.db.transaction().execute(async (tx) => {
    await budgets.lockPlace(tx, place)
    const other = await budgets.findTwin(tx, place, { ...judged, mode })
    if (other !== undefined) throw twin(other)
    if ((await budgets.count(tx, place)) >= maxBudgets)
      throw new ServiceError(
        'conflict',
        `There are ${maxBudgets} budgets already, and no more fit; remove one first`,
      )
    const row = { ...judged, name, mode, cap_micros }
    await budgets.insert(tx, {
      ...{ ...place, ...row, budget_id, created_by, created_at },
      updated_at: created_at,
    })
    await recordBudget(ctx, tx, place, { verb: 'create', budget_id, details: row })
  })
  const made = await budgets.find(ctx.db, place, budget_id)
  if (made === undefined)
    throw new ServiceError('not_found', 'The budget was removed again at once; list the budgets')
  return made
}

function defaultName({ level, subject, period }: Pick<BudgetRow, 'level' | 'subject' | 'period'>): string {
  const of = subject === null ? level : `${level} ${subject}`
  return (level === 'call' ? 'each call' : `${of} per ${period}`).replace('per total', 'in all').slice(0, 100)
}
