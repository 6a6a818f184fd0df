import { round } from '../measure.ts'

/** The value below which that share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
}

export interface Times {
  readonly runs: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
}

export const timesOf = (values: readonly number[]): Times => ({
  runs: values.length,
  p50_ms: quantile(values, 0.5),
  p95_ms: quantile(values, 0.95),
  p99_ms: quantile(values, 0.99),
})

/** One promise, and whether this run held it. */
export interface Verdict {
  readonly what: string
  readonly promise: string
  readonly measured: string
  /** The measured value by its bound. */
  readonly of_bound: number
  readonly held: boolean
}

/** A promise of at most `most`, and for `least` of at least so much. */
export function judged(
  what: string,
  measured: string,
  value: number,
  bound:
    | { readonly most: number; readonly promise: string }
    | { readonly least: number; readonly promise: string },
): Verdict {
  const limit = 'most' in bound ? bound.most : bound.least
  const held = 'most' in bound ? value <= limit : value >= limit
  return { what, promise: bound.promise, measured, of_bound: round(value / limit), held }
}
