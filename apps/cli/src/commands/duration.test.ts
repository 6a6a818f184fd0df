import { expect, test } from 'vitest'
import { duration, inSeconds } from './duration.ts'

test.each([
  ['30m', 1800],
  ['12h', 43_200],
  ['90d', 7_776_000],
  ['2w', 1_209_600],
])('%s is %d seconds', (text, seconds) => expect(duration(text)).toBe(seconds))

test.each(['', '0d', '90', 'd', '-1d', '1.5h', '1y', '1D', '9999999d', '30s', '9999999w'])(
  '%j is none',
  (text) => {
    expect(() => duration(text)).toThrow('It must be a duration such as')
  },
)

test('an expiry is an instant', () => {
  expect(inSeconds(60, Date.parse('2026-01-01T00:00:00Z'))).toBe('2026-01-01T00:01:00.000Z')
})
