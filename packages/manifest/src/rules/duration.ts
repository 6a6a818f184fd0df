const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** `30s`, `5m`, `2h`, `1d` in seconds; undefined for anything else. */
export function durationSeconds(duration: string): number | undefined {
  const match = /^([1-9][0-9]*)(s|m|h|d)$/.exec(duration)
  const unit = match?.[2]
  if (unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined
  return Number(match?.[1]) * seconds[unit]
}
