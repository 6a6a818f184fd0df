import { ServiceError } from '@svc/errors'

const dayMs = 24 * 3_600_000
const defaultDays = 31
const maxDays = 366

export interface AskedDays {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** The first and the last day, in UTC, both within; 31 days until today unless others are asked for. */
export function daysOf({ since: from, until: to }: AskedDays, now: Date): { since: string; until: string } {
  const until = to === undefined ? dayOf(now.getTime()) : dayOf(lastMs(to))
  const since =
    from === undefined ? dayOf(startOf(until) - (defaultDays - 1) * dayMs) : dayOf(Date.parse(from))
  const days = (startOf(until) - startOf(since)) / dayMs + 1
  if (days < 1) throw invalid('until', 'must not be before since')
  if (days > maxDays) throw invalid('since', `must be at most ${maxDays} days before until`)
  return { since, until }
}

/** A day ends with itself, an instant just before itself. */
const lastMs = (text: string): number => (text.includes('T') ? Date.parse(text) - 1 : Date.parse(text))
const startOf = (day: string): number => Date.parse(day)
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] })
}
