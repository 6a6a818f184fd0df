import { expect, test } from 'vitest'
import { clock, relativeTime } from './relative-time.ts'

const now = Date.UTC(2026, 0, 2)

test.each([
  [0, 'now'],
  [-59_000, 'now'],
  [30_000, 'soon'],
  [-120_000, /2 min.* ago/],
  [3 * 3_600_000, /in 3 h/],
  [-49 * 3_600_000, /2 days ago/],
])('%i ms from now is %s', (distance, says) => {
  expect(relativeTime(now + distance, now)).toMatch(says)
})

test.each([
  [-1, '0.0 s'],
  [420, '0.4 s'],
  [12_900, '12 s'],
  [72_000, '01:12'],
  [3_723_000, '1:02:03'],
])('%i ms on the clock is %s', (ms, says) => {
  expect(clock(ms)).toBe(says)
})
