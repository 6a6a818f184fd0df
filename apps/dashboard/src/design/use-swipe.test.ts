import { expect, test } from 'vitest'
import { isSwipe } from './use-swipe.ts'

test.each([
  [80, 10, true],
  [-80, 30, true],
  [50, 0, false],
  [80, 60, false],
  [5, 300, false],
])('a finger that went %i sideways and %i down swiped: %s', (x, y, swiped) => {
  expect(isSwipe(x, y)).toBe(swiped)
})
