import { InvalidArgumentError } from 'commander'

const units = { m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** `90d`, `12h`, `30m`, `2w`: how many seconds. */
export function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const seconds = isUnit(unit) ? Number(count) * units[unit] : 0
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('It must be a duration such as 30m, 12h, 90d or 2w.')
}

/** The instant that lies so many seconds ahead. */
export function inSeconds(seconds: number, now: number): string {
  return new Date(now + seconds * 1000).toISOString()
}

function isUnit(text: string): text is keyof typeof units {
  return Object.hasOwn(units, text)
}
