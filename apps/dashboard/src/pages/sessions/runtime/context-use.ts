/** Tokens of an agent's context. */
export interface ContextUse {
  readonly used: number
  readonly size: number
}

/** The used part in whole percent. A context that is not empty has one, and one that is not full less than all. */
export function shareOf({ used, size }: ContextUse): number {
  if (used <= 0) return 0
  if (used >= size) return 100
  return Math.min(99, Math.max(1, Math.round((used / size) * 100)))
}

const warnFrom = 80
const badFrom = 95

export function toneOf(share: number): 'ok' | 'warn' | 'bad' {
  return share >= badFrom ? 'bad' : share >= warnFrom ? 'warn' : 'ok'
}
