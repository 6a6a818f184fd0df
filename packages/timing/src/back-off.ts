/** Doubling pauses with a cap: `firstMs` before the first try again, whose `attempt` is 0. */
export function backOffMs(attempt: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30))
}
