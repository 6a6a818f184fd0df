import { expect, test } from 'vitest'
import { countSides } from './left-right.ts'

test('counts the sides, keeps where they meet and what each commit builds on', () => {
  expect(countSides('30 <a c\n20 >b c d\n20 >d c\n10 -c')).toEqual({
    left: 1,
    right: 2,
    ends: ['c'],
    links: new Map([
      ['a', { parents: ['c'], committed_at: 30 }],
      ['b', { parents: ['c', 'd'], committed_at: 20 }],
      ['d', { parents: ['c'], committed_at: 20 }],
      ['c', { parents: [], committed_at: 10 }],
    ]),
  })
  expect(countSides('')).toEqual({ left: 0, right: 0, ends: [], links: new Map() })
})
