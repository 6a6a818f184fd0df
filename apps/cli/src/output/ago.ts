const steps = [
  ['s', 60],
  ['min', 60],
  ['h', 24],
  ['d', 365],
] as const

/** The age of an instant, in the largest unit that is at least one: `4 min ago`. */
export function ago(instant: string, now: number): string {
  let value = Math.max(0, Math.floor((now - Date.parse(instant)) / 1000))
  if (Number.isNaN(value)) return instant
  for (const [unit, size] of steps) {
    if (value < size) return `${value} ${unit} ago`
    value = Math.floor(value / size)
  }
  return `${value} y ago`
}
