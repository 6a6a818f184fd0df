import { expect, test } from 'vitest'
import { nextIndex } from './use-next-item.ts'

const items = ['/a', '/b', '/b?tab=files', '/c'].map((path) => ({ path }))

test.each([
  ['/elsewhere', 0],
  ['/a', 1],
  ['/b', 3],
  ['/c', 0],
])('from %s the next that waits is at %i', (pathname, index) => {
  expect(nextIndex(items, pathname)).toBe(index)
})
