export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The value below which that share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const round = (value: number): number => Math.round(value * 100) / 100

/** One promise, and whether this run held it. */
export interface Verdict {
  readonly what: string
  readonly promise: string
  readonly measured: string
  readonly held: boolean
}
