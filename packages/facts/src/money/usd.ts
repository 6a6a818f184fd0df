const micros = 1_000_000

/** Micro-dollars as people read them: at least two decimals, and all that count. */
export function usd(amount: number): string {
  const [whole = '0', decimals = ''] = (Math.abs(amount) / micros).toFixed(6).split('.')
  return `${amount < 0 ? '-' : ''}$${whole}.${decimals.replace(/0{1,4}$/, '')}`
}

/** The micro-dollars of an amount as people write it, such as `5`, `0.30` or `$1.25`; null for anything else. */
export function microsOfUsd(text: string): number | null {
  const [, whole, decimals = ''] = /^\$?([0-9]{1,7})(?:\.([0-9]{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? null : Number(whole) * micros + Number(decimals.padEnd(6, '0'))
}
