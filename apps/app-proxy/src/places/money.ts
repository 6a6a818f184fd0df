import { capDetails } from '@svc/app'
import type { AppPlace } from '@svc/db'
import type { Refused } from './place.ts'

/** The refusal of a program whose app spent its cap of the month, or whose account cannot pay; null while it may run. */
export function moneyRefusal(
  { name, cap_micros, spent_micros, unpaid }: AppPlace,
  now: Date,
): Refused | null {
  if (cap_micros !== null && spent_micros >= cap_micros) {
    const details = capDetails({ name, cap_micros, spent_micros }, now)
    return {
      kind: 'refused',
      code: 'budget_exceeded',
      message: `This app has spent its budget of this month. It answers again from ${details.resets_at.slice(0, 10)}, or once its project raises the budget.`,
      details,
    }
  }
  if (unpaid === null) return null
  const { code, ...details } = unpaid
  return {
    ...{ kind: 'refused', code },
    message: 'This app is not paid for at the moment. The people who look after it can see why on its page.',
    // A visitor does not learn what an account owns.
    details: { ...details, balance: null },
  }
}
