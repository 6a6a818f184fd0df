import fc from 'fast-check'
import { expect, test } from 'vitest'
import { glob } from './glob.ts'

test.each([
  ['*', '', true],
  ['*', 'send', true],
  ['', '', true],
  ['', 'a', false],
  ['send', 'send', true],
  ['send', 'Send', false],
  ['send', 'send_all', false],
  ['send*', 'send_all', true],
  ['*.delete*', 'docs.delete_page', true],
  ['docs.*', 'docs.a/b.c', true],
  ['se?d', 'send', true],
  ['se?d', 'sed', false],
  ['?', '😀', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a\\?', 'ab', false],
  ['a\\\\b', 'a\\b', true],
  ['a\\', 'a\\', true],
  ['[ab]', 'a', false],
  ['.*', 'abc', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  [`${'a'.repeat(70)}?`, 'a'.repeat(71), true],
  [`${'a'.repeat(70)}?`, 'a'.repeat(72), false],
])('%s on %s: %s', (pattern, text, matches) => {
  expect(glob(pattern)(text)).toBe(matches)
})

/** The same pattern as a regular expression. */
function asRegExp(pattern: string): RegExp {
  let source = ''
  const characters = [...pattern]
  for (let index = 0; index < characters.length; index++) {
    const one = characters[index] ?? ''
    const literal = (text: string) => (source += text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&'))
    if (one === '*') source += '.*'
    else if (one === '?') source += '.'
    else literal(one === '\\' ? (characters[++index] ?? one) : one)
  }
  return new RegExp(`^${source}$`, 'su')
}

test('it is the regular expression that it stands for', () => {
  const pieces = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 80 })
  const pattern = pieces('a', 'b', '.', '_', '*', '?', '\\', '\n', '😀', '$')
  const text = pieces('a', 'b', '.', '_', '*', '?', '\\', '\n', '😀', '$')
  // Half of the names come of the pattern, else hardly one would match.
  const pair = pattern.chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc.oneof(
        text,
        pieces('a', 'b', '').map((some) => one.replaceAll('*', some).replaceAll('?', 'b')),
      ),
    ),
  )
  fc.assert(
    fc.property(pair, ([one, name]) => {
      expect(glob(one)(name)).toBe(asRegExp(one).test(name))
    }),
    { numRuns: 2000 },
  )
})

test('a pattern that would make a search go back at each character is walked once', () => {
  const matches = glob(`${'*a?'.repeat(80)}*b`)
  expect(matches('a'.repeat(256 * 1024))).toBe(false)
  expect(matches(`${'a'.repeat(256 * 1024)}b`)).toBe(true)
})
