/** Reads a trigger's `enabled`: a boolean, a number, or one of a few words in any case; absent means on. */
export function isSwitchedOn(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return !['false', '0', 'no', 'off'].includes(value.toLowerCase())
  return true
}
