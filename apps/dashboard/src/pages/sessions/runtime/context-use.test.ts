import { expect, test } from 'vitest'
import { shareOf, toneOf } from './context-use.ts'

test.each([
  [0, 200, 0, 'ok'],
  [1, 200_000, 1, 'ok'],
  [84_000, 200_000, 42, 'ok'],
  [160_000, 200_000, 80, 'warn'],
  [199_999, 200_000, 99, 'bad'],
  [200_000, 200_000, 100, 'bad'],
  [250_000, 200_000, 100, 'bad'],
])('%i of %i is %i percent, which is %s', (used, size, share, tone) => {
  expect(shareOf({ used, size })).toBe(share)
  expect(toneOf(share)).toBe(tone)
})
