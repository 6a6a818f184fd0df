import { capDetails, monthOf, nextMonth, unpaidMessages } from '@svc/app'
import { appBilling, appMonths, type AppRow, type Db } from '@svc/db'
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

interface Money {
  readonly db: Db
  readonly now: () => Date
}

type Spending = Pick<AppRow, 'app_id' | 'name' | 'budget_micros'>

/** Why a program of an app may not run: its cap of the month is spent, or its account cannot pay. Null where it may. */
export async function moneyRefusal({ db, now }: Money, app: Spending): Promise<ServiceError | null> {
  const budget = (await budgetsOf(db, [app], now())).get(app.app_id)
  if (budget !== undefined && budget.spent_micros >= budget.cap_micros) return capReached(app, budget, now())
  const unpaid = await appBilling.findUnpaid(db, app.app_id, now())
  if (unpaid === null) return null
  const { code, ...details } = unpaid
  return new ServiceError(code, unpaidMessages[code], details)
}

/** Refuses what would make an app cost more than may be spent on it. */
export async function requireMoney(money: Money, app: Spending): Promise<void> {
  const refusal = await moneyRefusal(money, app)
  if (refusal !== null) throw refusal
}

function capReached({ name }: Spending, { cap_micros, spent_micros }: AppBudget, now: Date): ServiceError {
  const details = capDetails({ name, cap_micros, spent_micros }, now)
  return new ServiceError(
    'budget_exceeded',
    `${name} has spent its cap of this month; raise monthly_budget_usd, or wait until ${details.resets_at}`,
    details,
  )
}
