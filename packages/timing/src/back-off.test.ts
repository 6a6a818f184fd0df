import { expect, test } from 'vitest'
import { backOffMs } from './back-off.ts'

test('pauses double up to the cap, and stay there however often it failed', () => {
  expect([0, 1, 2, 3, 4].map((attempt) => backOffMs(attempt, 500, 3_000))).toEqual([
    500, 1_000, 2_000, 3_000, 3_000,
  ])
  expect(backOffMs(100_000, 1, 3_600_000)).toBe(3_600_000)
})
