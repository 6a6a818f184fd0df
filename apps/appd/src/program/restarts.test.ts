import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

test('pauses double, and the fifth end is the last', () => {
  const restarts = createRestarts()
  expect([0, 1, 2, 3, 4].map((at) => restarts.afterEnd(at))).toEqual([500, 1_000, 2_000, 4_000, null])
})

test('ends of more than ten minutes ago do not count', () => {
  const restarts = createRestarts()
  for (const at of [0, 1, 2, 3]) restarts.afterEnd(at)
  expect(restarts.afterEnd(600_004)).toBe(500)
})
