import { expect, test } from 'vitest'
import { pauseAfterFailures } from './pause-after-failures.ts'

test.each([
  [0, [800, 1_000, 1_200]],
  [1, [800, 1_000, 1_200]],
  [2, [1_600, 2_000, 2_400]],
  [3, [4_000, 5_000, 6_000]],
  [4, [8_000, 10_000, 12_000]],
  [5, [24_000, 30_000, 36_000]],
  [1_000, [24_000, 30_000, 36_000]],
])('after %s failures', (failures, pauses) => {
  expect([0, 0.5, 1].map((chance) => pauseAfterFailures(failures, () => chance))).toEqual(pauses)
})
