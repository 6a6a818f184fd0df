import { expect, test } from 'vitest'
import { etagOf, matchesEtag } from './etag.ts'

test('the same answer has the same tag, another answer another', () => {
  expect(etagOf({ a: 1 })).toBe(etagOf({ a: 1 }))
  expect(etagOf({ a: 1 })).not.toBe(etagOf({ a: 2 }))
  expect(etagOf([])).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/)
})

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s', (header, matches) => {
  expect(matchesEtag(header, 'W/"a"')).toBe(matches)
})
