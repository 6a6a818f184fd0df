/** Upper bounds in milliseconds of the classes that answers are counted in; one more class has what took longer. */
export const latencyBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000] as const

/** The class of an answer that took this long. */
export function latencyClass(ms: number): number {
  const at = latencyBounds.findIndex((bound) => ms <= bound)
  return at < 0 ? latencyBounds.length : at
}

/** The bound below which this part of the answers stayed, in milliseconds; null where there are none. */
export function percentile(counts: readonly number[], part: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let seen = 0
  for (const [at, count] of counts.entries()) {
    seen += count
    if (seen >= all * part) return latencyBounds[at] ?? latencyBounds[latencyBounds.length - 1] ?? null
  }
  return null
}
