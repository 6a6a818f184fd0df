import { CronPattern } from 'croner'

/** The problem of a six-field cron expression, or undefined. */
export function cronProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== 6) {
    const found = expression.trim().startsWith('@')
      ? 'a nickname'
      : `${fields.length} field${fields.length === 1 ? '' : 's'}`
    const hint = fields.length === 5 ? `; for second 0 write \`0 ${fields.join(' ')}\`` : ''
    return `must have six fields (second minute hour day month weekday), not ${found}${hint}`
  }
  if (expression.length > maxExpression) return `must have at most ${maxExpression} characters`
  try {
    new CronPattern(expression.trim(), undefined, { mode: '6-part' })
    return undefined
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : 'unknown reason'
    return `is not a valid cron expression: ${reason}`
  }
}

const maxExpression = 256

/** An IANA name is one that this machine's time zone data knows; an offset is no name. */
export function timezoneProblem(name: string): string | undefined {
  if (knownZones.has(name)) return undefined
  if (!/^[A-Za-z][A-Za-z0-9_+-]{0,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/.test(name)) return unknownZone
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (knownZones.size < maxZones) knownZones.add(name)
    return undefined
  } catch {
    return unknownZone
  }
}

export const unknownZone = 'must be an IANA time zone, such as `Europe/Berlin` or `UTC`'

/** Asking `Intl` costs a sixth of a small manifest's verdict, and the answer never changes. */
const knownZones = new Set<string>()
const maxZones = 1000

/** The shape has checked the form; this checks that the day and the hour exist. */
export function dateTimeProblem(text: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?.*?(?:[+-](\d{2}):?(\d{2})?)?$/.exec(
    text,
  )
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offset = 0, offsetMinutes = 0] =
    match.slice(1).map((part) => Number(part ?? 0))
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= days
  const shown = hour <= 23 && minute <= 59 && second <= 59 && offset <= 23 && offsetMinutes <= 59
  return exists && shown ? undefined : 'is no date and time that exists'
}
