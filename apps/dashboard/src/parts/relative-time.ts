const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' })

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** The distance between two instants in the largest unit that fits; within a minute it is now. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now
  for (const [unit, ms] of units) {
    if (Math.abs(distance) >= ms) return words.format(Math.trunc(distance / ms), unit)
  }
  return distance > 5_000 ? 'soon' : 'now'
}

/** A duration as on a stopwatch: `0.4 s`, `12 s`, `01:12`, `1:02:03`. */
export function clock(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const pad = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${pad(minutes)}:${pad(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}
