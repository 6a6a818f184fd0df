import { describe, expect, test } from 'vitest'
import { nextSlot, nextSlots, runAt } from './schedule.ts'

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Chatham',
  'Africa/Cairo',
] as const

const cron = (expression: string, timezone: string) => ({ cron: expression, run_at: null, timezone })
const isoSlots = (expression: string, timezone: string, after: string, count: number) =>
  nextSlots(cron(expression, timezone), new Date(after), count).map((slot) => slot.toISOString())

/** The date and time that clocks show, from the time zone data itself. */
function wall(zone: string): (at: number) => { date: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  })
  return (at) => {
    const [date = '', time = ''] = format.format(at).split(' ')
    return { date, time }
  }
}

describe.each(zones)('%s', (zone) => {
  const shown = wall(zone)

  test.each(['00:00:00', '00:30:00', '01:45:00', '02:00:00', '02:15:00', '02:30:00', '23:30:00'])(
    'a fixed time of %s comes once a day for two years, in gaps at their end, in overlaps first',
    (time) => {
      const [hour, minute, second] = time.split(':').map(Number)
      const expression = `${second} ${minute} ${hour} * * *`
      const first = Date.parse('2026-01-01T12:00:00Z')
      const slots = nextSlots(cron(expression, zone), new Date(first), 730)
      const dates = slots.map((slot) => shown(slot.getTime()).date)
      expect(new Set(dates).size).toBe(730)
      for (const slot of slots) {
        const at = slot.getTime()
        const seen = shown(at)
        if (seen.time === time) {
          // The same time is not shown on this date any earlier.
          for (const earlier of [1_800_000, 3_600_000])
            expect(shown(at - earlier), slot.toISOString()).not.toEqual(seen)
        } else {
          // The minute before is before the time asked for, on the date or the one before: the clock jumped over it.
          const before = shown(at - 1)
          expect(`${before.date} ${before.time}` < `${seen.date} ${time}`, slot.toISOString()).toBe(true)
          expect(time < seen.time, slot.toISOString()).toBe(true)
        }
      }
    },
  )

  test('each slot is strictly after the one asked from, also from inside a transition', () => {
    for (const expression of ['0 30 2 * * *', '0 */15 * * * *', '0 0 0 * * 0']) {
      let at = new Date('2026-01-01T00:00:00Z')
      const end = Date.parse(expression.includes('/') ? '2026-01-08T00:00:00Z' : '2027-12-31T00:00:00Z')
      while (at.getTime() < end) {
        const next = nextSlot(cron(expression, zone), at)
        expect(next && next > at).toBe(true)
        at = next ?? new Date(end)
      }
    }
  })
})

test.each([
  [
    'Europe/Berlin',
    '0 30 2 * * *',
    '2026-03-28T12:00:00Z',
    ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  ],
  [
    'Europe/Berlin',
    '0 30 2 * * *',
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ],
  [
    'America/New_York',
    '0 30 2 * * *',
    '2026-03-07T12:00:00Z',
    ['2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z'],
  ],
  [
    'America/New_York',
    '0 30 1 * * *',
    '2026-10-31T12:00:00Z',
    ['2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
  ],
  [
    'Australia/Lord_Howe',
    '0 15 2 * * *',
    '2026-10-03T00:00:00Z',
    ['2026-10-03T15:30:00.000Z', '2026-10-04T15:15:00.000Z'],
  ],
  [
    'Australia/Lord_Howe',
    '0 45 1 * * *',
    '2026-04-04T00:00:00Z',
    ['2026-04-04T14:45:00.000Z', '2026-04-05T15:15:00.000Z'],
  ],
  [
    'America/Santiago',
    '0 0 0 * * *',
    '2026-09-05T12:00:00Z',
    ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ],
  [
    'America/Santiago',
    '0 30 23 * * *',
    '2026-04-04T12:00:00Z',
    ['2026-04-05T02:30:00.000Z', '2026-04-06T03:30:00.000Z'],
  ],
  [
    'Pacific/Chatham',
    '0 0 3 * * *',
    '2026-09-26T00:00:00Z',
    ['2026-09-26T14:00:00.000Z', '2026-09-27T13:15:00.000Z'],
  ],
  [
    'Africa/Cairo',
    '0 30 0 * * *',
    '2026-04-23T12:00:00Z',
    ['2026-04-23T22:00:00.000Z', '2026-04-24T21:30:00.000Z'],
  ],
] as const)('%s, %s after %s', (zone, expression, after, slots) => {
  expect(isoSlots(expression, zone, after, 2)).toEqual(slots)
})

test('steps follow the hands of the clock: none in the gap, both passes of the overlap', () => {
  const quarter = '0 */15 * * * *'
  expect(isoSlots(quarter, 'Europe/Berlin', '2026-03-29T00:50:00Z', 2)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:15:00.000Z',
  ])
  expect(isoSlots(quarter, 'Europe/Berlin', '2026-10-24T23:50:00Z', 9)).toHaveLength(9)
  expect(isoSlots(quarter, 'Europe/Berlin', '2026-10-24T23:50:00Z', 9).at(-1)).toBe(
    '2026-10-25T02:00:00.000Z',
  )
  expect(isoSlots('0 */20 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1)).toEqual([
    '2026-03-30T00:00:00.000Z',
  ])
})

test('a date that never comes has no slot', () => {
  expect(nextSlot(cron('0 0 0 31 2 *', 'UTC'), new Date('2026-01-01'))).toBeNull()
  expect(
    nextSlots(cron('0 0 0 29 2 *', 'UTC'), new Date('2026-01-01'), 2).map((at) => at.getUTCFullYear()),
  ).toEqual([2028, 2032])
})

test.each([
  ['2030-01-31T09:00:00Z', 'Asia/Tokyo', '2030-01-31T09:00:00.000Z'],
  ['2030-01-31T09:00', 'Asia/Tokyo', '2030-01-31T00:00:00.000Z'],
  ['2030-01-31T09:00:05', 'America/New_York', '2030-01-31T14:00:05.000Z'],
  ['2030-01-31T09:00:00,25', 'UTC', '2030-01-31T09:00:00.250Z'],
  ['2030-01-31T09:00:00.1234+02', 'UTC', '2030-01-31T07:00:00.123Z'],
  ['2030-01-31T09:00+0530', 'UTC', '2030-01-31T03:30:00.000Z'],
  ['2030-01-31T09:00-03:00', 'UTC', '2030-01-31T12:00:00.000Z'],
  ['2030-03-31T02:30:00', 'Europe/Berlin', '2030-03-31T01:30:00.000Z'],
])('run_at %s in %s is %s', (text, zone, at) => {
  expect(runAt(text, zone)?.toISOString()).toBe(at)
})

test('a one-off run has one slot', () => {
  const once = { cron: null, run_at: '2030-01-31T09:00:00Z', timezone: 'UTC' }
  expect(nextSlots(once, new Date('2030-01-31T08:59:59Z'), 5)).toHaveLength(1)
  expect(nextSlot(once, new Date('2030-01-31T09:00:00Z'))).toBeNull()
})
