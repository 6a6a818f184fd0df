import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, pieces } from './split.ts'

test.each([
  ['one\ntwo\nthree', 9, ['one\ntwo', 'three']],
  ['one two three', 9, ['one two', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['a&amp;b', 5, ['a', '&amp;', 'b']],
  ['xx<https://x|y>', 14, ['xx', '<https://x|y>']],
  ['🙂🙂🙂', 3, ['🙂', '🙂', '🙂']],
  ['   ', 2, []],
])('%j in pieces of %i', (text, max, expected) => expect(pieces(text, max)).toEqual(expected))

test('nothing but white space is left out, and no piece is too long', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '&amp;', '<https://x|y>', '🙂', 'word'),
    maxLength: 200,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 14, max: 60 }), (text, max) => {
      const all = pieces(text, max)
      expect(all.every((piece) => piece.length <= max)).toBe(true)
      const bare = (words: string) => words.replaceAll(/\s/g, '')
      expect(bare(all.join(''))).toBe(bare(text))
      for (const piece of all) expect(piece.replaceAll(/<https:\/\/x\|y>|&amp;/g, '')).not.toMatch(/[<>&]/)
    }),
  )
})

test('the beginning says that there is more', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('a&lt;b', 5)]).toEqual(['abc', 'ab…', 'a…'])
})
