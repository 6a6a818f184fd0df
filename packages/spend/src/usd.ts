const micros = 1_000_000

/** Micro-dollars as people read them: at least two decimals, and all that count. */
export function usd(amount: number): string {
  const [whole = '0', decimals = ''] = (Math.abs(amount) / micros).toFixed(6).split('.')
  return `${amount < 0 ? '-' : ''}$${whole}.${decimals.replace(/0{1,4}$/, '')}`
}
