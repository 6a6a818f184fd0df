const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** A duration in its largest unit. */
export function seconds(value: number): string {
  const unit = units.find(([size]) => value >= size)
  return unit === undefined ? `${value} s` : `${Math.floor(value / unit[0])} ${unit[1]}`
}
