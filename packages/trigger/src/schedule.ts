import { Cron } from 'croner'

/** A schedule as the manifest has it: exactly one of `cron` (six fields, second first) and `run_at`. */
export interface Schedule {
  readonly cron: string | null
  readonly run_at: string | null
  /** An IANA name. */
  readonly timezone: string
}

/**
 * The first slot strictly after `after`; null when there is none. Daylight saving: a fixed time that the clock skips
 * fires once, at the first instant after the gap; one that it shows twice fires at the first. Steps and ranges follow
 * the clock's hands: nothing in the gap, both passes of the overlap.
 */
export function nextSlot(schedule: Schedule, after: Date): Date | null {
  if (schedule.cron !== null) return cronOf(schedule.cron, schedule.timezone).nextRun(after)
  const at = schedule.run_at === null ? null : runAt(schedule.run_at, schedule.timezone)
  return at !== null && at > after ? at : null
}

/** The next `count` slots after `after`, soonest first. */
export function nextSlots(schedule: Schedule, after: Date, count: number): Date[] {
  if (schedule.cron !== null) return cronOf(schedule.cron, schedule.timezone).nextRuns(count, after)
  const only = nextSlot(schedule, after)
  return only === null || count < 1 ? [] : [only]
}

/** The last slot at or before `until`; null when there is none. */
export function latestSlot(schedule: Schedule, until: Date): Date | null {
  if (schedule.cron === null) {
    const at = schedule.run_at === null ? null : runAt(schedule.run_at, schedule.timezone)
    return at !== null && at <= until ? at : null
  }
  const cron = cronOf(schedule.cron, schedule.timezone)
  return cron.previousRuns(1, new Date(until.getTime() + 1))[0] ?? null
}

/** The instant of a `run_at`; without an offset it is the time that the zone's clocks show. Null when unreadable. */
export function runAt(text: string, timezone: string): Date | null {
  const parts = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(?:[.,](\d+))?(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(
    text,
  )
  if (!parts) return null
  const [, minute = '', second = ':00', fraction = '0', zone] = parts
  const ms = `${fraction}000`.slice(0, 3)
  if (zone !== undefined) {
    const at = new Date(`${minute}${second}.${ms}${offset(zone)}`)
    return Number.isNaN(at.getTime()) ? null : at
  }
  const whole = new Cron(`${minute}${second}`, { timezone, paused: true }).nextRun(new Date(0))
  return whole === null ? null : new Date(whole.getTime() + Number(ms))
}

function offset(zone: string): string {
  if (zone === 'Z') return zone
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

function cronOf(expression: string, timezone: string): Cron {
  return new Cron(expression.trim(), { timezone, mode: '6-part', paused: true })
}
