import { monthOf, nextMonth } from '@svc/app'
import { appMonths, type AppRow, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { platformRules } from '../context.ts'

export interface AppBudget {
  readonly cap_micros: number
  readonly spent_micros: number
  readonly resets_at: Date
}

/** The caps of these apps in this month, by app; one without a cap has none. */
export async function budgetsOf(
  db: Db,
  rows: readonly Pick<AppRow, 'app_id' | 'budget_micros'>[],
  now: Date,
): Promise<Map<string, AppBudget>> {
  const { budget_micros } = await platformRules(db)
  const spent = await appMonths.spent(
    db,
    rows.map(({ app_id }) => app_id),
    monthOf(now),
  )
  const budgets = new Map<string, AppBudget>()
  for (const row of rows) {
    const cap_micros = row.budget_micros ?? budget_micros
    if (cap_micros !== null)
      budgets.set(row.app_id, {
        ...{ cap_micros, spent_micros: spent.get(row.app_id) ?? 0, resets_at: nextMonth(now) },
      })
  }
  return budgets
}

/** Refuses what would cost an app more than its cap of the month. */
export async function requireBudget(
  ctx: { readonly db: Db; readonly now: () => Date },
  app: Pick<AppRow, 'app_id' | 'name' | 'budget_micros'>,
): Promise<void> {
  const budget = (await budgetsOf(ctx.db, [app], ctx.now())).get(app.app_id)
  if (budget === undefined || budget.spent_micros < budget.cap_micros) return
  const { cap_micros, spent_micros, resets_at } = budget
  const month = 'month' as const
  throw new ServiceError(
    'budget_exceeded',
    `${app.name} has spent its cap of this month; raise monthly_budget_usd, or wait until ${resets_at.toISOString()}`,
    {
      budget: { budget_id: null, name: app.name, level: 'app', subject: app.name, period: month },
      ...{ cap_micros, spent_micros, held_micros: 0, resets_at: resets_at.toISOString(), app: app.name },
    },
  )
}
