import type { AppPrices, AppResources } from './app-config.ts'

type Priced = Pick<AppResources, 'cpu' | 'memory_gb'>
const hourMs = 3_600_000

/** A stretch of time of one month (UTC), with what an instance cost in it. */
export interface Charge {
  /** The first day, as `2026-12-01`. */
  readonly month: string
  readonly seconds: number
  readonly cost_micros: number
}

/**
 * The whole seconds from `from` on that an instance lived until `to`, by month. Charges that follow each other add up to
 * the charge of the whole, but for a micro-dollar: what was charged before is counted from the instance's beginning.
 */
export function chargesOf(
  { started_at, from, to }: { readonly started_at: Date; readonly from: Date; readonly to: Date },
  resources: Priced,
  prices: AppPrices,
): { readonly charges: readonly Charge[]; readonly metered_to: Date } {
  const seconds = Math.floor((to.getTime() - from.getTime()) / 1000)
  if (seconds <= 0) return { charges: [], metered_to: from }
  const metered_to = new Date(from.getTime() + seconds * 1000)
  const charges: Charge[] = []
  for (let at = from; at < metered_to;) {
    const end = earlier(nextMonth(at), metered_to)
    const charged =
      costSince(started_at, end, resources, prices) - costSince(started_at, at, resources, prices)
    const span = Math.round((end.getTime() - at.getTime()) / 1000)
    charges.push({ month: monthOf(at), seconds: span, cost_micros: charged })
    at = end
  }
  return { charges, metered_to }
}

/** Micro-dollars from the beginning of an instance to a moment, rounded down. */
function costSince(started_at: Date, at: Date, resources: Priced, prices: AppPrices): number {
  const ms = Math.max(0, at.getTime() - started_at.getTime())
  return Math.floor((hourlyMicros(resources, prices) * ms) / hourMs)
}

/** Micro-dollars that an instance costs in an hour. */
export function hourlyMicros(
  { cpu, memory_gb }: Priced,
  { cpu_hour_micros, gb_hour_micros }: AppPrices,
): number {
  return cpu * cpu_hour_micros + memory_gb * gb_hour_micros
}

/** The time in which what costs so much in an hour spends what is left of a cap. */
export function msUntilSpent(left_micros: number, hourly_micros: number): number {
  return (left_micros / hourly_micros) * hourMs
}

export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`
}

/** The moment at which the month of a moment is over. */
export function nextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

const earlier = (a: Date, b: Date) => (a < b ? a : b)

export const budgetMarks = [50, 80, 100] as const

/** The marks of a cap that spending crossed with this charge. */
export function marksCrossed(cap_micros: number, before: number, after: number): readonly number[] {
  return budgetMarks.filter((mark) => {
    const at = (cap_micros * mark) / 100
    return before < at && after >= at
  })
}
