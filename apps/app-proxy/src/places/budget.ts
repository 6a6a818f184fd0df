import { nextMonth } from '@svc/app'
import type { AppPlace } from '@svc/db'
import type { Refused } from './place.ts'

/** The refusal of an app that spent its cap of the month; null while it did not. */
export function overBudget({ name, cap_micros, spent_micros }: AppPlace, now: Date): Refused | null {
  if (cap_micros === null || spent_micros < cap_micros) return null
  const resets_at = nextMonth(now).toISOString()
  return {
    kind: 'refused',
    code: 'budget_exceeded',
    message: `This app has spent its budget of this month. It answers again from ${resets_at.slice(0, 10)}, or once its project raises the budget.`,
    details: {
      budget: { budget_id: null, name, level: 'app', subject: name, period: 'month' },
      ...{ cap_micros, spent_micros, held_micros: 0, resets_at, app: name },
    },
  }
}
