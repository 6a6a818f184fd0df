import { expect, test } from 'vitest'
import { oneOf, textsOf } from './search.ts'

test('texts of an address are taken by name, and nothing else', () => {
  expect(
    textsOf({ q: 'gift', state: '', mine: 12, other: 'x', agent: { a: 1 } }, 'q', 'state', 'mine', 'agent'),
  ).toEqual({
    q: 'gift',
    mine: '12',
  })
})

test('a value that is not among the known ones is none', () => {
  expect(oneOf(['split', 'unified'], 'split')).toBe('split')
  expect(oneOf(['split', 'unified'], 'other')).toBeUndefined()
})
