const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `5m`, `2h`, `1d`. */
export const durationPattern = /^([1-9][0-9]*)(s|m|h|d)$/

/** Reads a duration, in milliseconds; null for any other text. */
export function durationMs(text: string): number | null {
  const [, count, unit] = durationPattern.exec(text) ?? []
  return count === undefined || !isUnit(unit) ? null : Number(count) * units[unit]
}

function isUnit(text: string | undefined): text is keyof typeof units {
  return text !== undefined && Object.hasOwn(units, text)
}
