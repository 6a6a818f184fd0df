import { durationMs } from '@svc/facts'
import { InvalidArgumentError } from 'commander'

const maxLength = 7

/** `90d`, `12h`, `30m`, `2w`: how many seconds; never less than a minute. */
export function duration(text: string): number {
  const [, weeks] = /^([1-9][0-9]*)w$/.exec(text) ?? []
  const ms = durationMs(weeks === undefined ? text : `${7 * Number(weeks)}d`)
  if (ms !== null && ms >= 60_000 && text.length <= maxLength) return ms / 1_000
  throw new InvalidArgumentError('It must be a duration such as 30m, 12h, 90d or 2w.')
}

/** The instant that lies so many seconds ahead. */
export function inSeconds(seconds: number, now: number): string {
  return new Date(now + seconds * 1000).toISOString()
}
