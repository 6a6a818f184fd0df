/** Providers accept no smaller budget of thinking. */
const leastThinking = 1_024

/**
 * The budget of thinking under a lowered output limit: it keeps its share of the answer; null where too little is left
 * for any. One that was below the new limit stays.
 */
export function clampedThinking(budget: number, asked: number, limit: number): number | null {
  if (limit >= asked || budget < limit) return budget
  const share = budget < asked ? Math.floor((budget * limit) / asked) : limit - 1
  return share < leastThinking ? null : share
}
