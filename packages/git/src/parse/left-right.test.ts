import { expect, test } from 'vitest'
import { countSides } from './left-right.ts'

test('commits of each side and where both meet', () => {
  expect(countSides('<a\n>b\n>c\n-d\n-e')).toEqual({ left: 1, right: 2, ends: ['d', 'e'] })
  expect(countSides('')).toEqual({ left: 0, right: 0, ends: [] })
})
