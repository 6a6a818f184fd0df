/** Dollars as they are typed, as micro-dollars; null where they are none. */
export function capOf(text: string): number | null {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text.trim())) return null
  return Math.round(Number(text) * 1_000_000)
}

/** Micro-dollars as a person would type them. */
export const capText = (micros: number): string => String(micros / 1_000_000)
