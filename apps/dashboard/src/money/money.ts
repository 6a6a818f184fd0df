const shown = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 2,
})
const small = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
})

/** Micro-dollars as money. */
export function dollars(micros: number): string {
  const value = micros / 1_000_000
  return (value !== 0 && Math.abs(value) < 0.01 ? small : shown).format(value)
}
