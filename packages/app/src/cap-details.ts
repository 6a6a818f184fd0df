import { nextMonth } from './cost.ts'

interface SpentCap {
  readonly name: string
  readonly cap_micros: number
  readonly spent_micros: number
}

/** The fields of the refusal of an app that spent its cap of the month. */
export function capDetails({ name, cap_micros, spent_micros }: SpentCap, now: Date) {
  return {
    budget: { budget_id: null, name, level: 'app', subject: name, period: 'month' },
    ...{ cap_micros, spent_micros, held_micros: 0, resets_at: nextMonth(now).toISOString(), app: name },
  } as const
}
