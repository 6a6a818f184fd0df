import { describe, expect, test } from 'vitest'
import { manifestLimits } from '../limits.ts'
import { readYaml } from './read-yaml.ts'

const problems = (text: string) =>
  readYaml(text).findings.map(({ message, place }) => `${place?.line}:${place?.column} ${message}`)

describe('YAML that cannot be read is an issue with its line', () => {
  test.each([
    ['a tab as indentation', 'a:\n\tb: 1\n', '2:1 not valid YAML: a tab cannot indent; use spaces'],
    ['an unclosed quote', 'a: 1\nb: "x\n', /^[23]:\d+ not valid YAML: a closing quote/],
    ['an unclosed bracket', 'a: [1, 2\nb: 3\n', /^2:\d+ not valid YAML/],
    ['two colons on a line', 'a: 1\nb: c: d\n', /^2:\d+ not valid YAML: a second `: ` on the line/],
    [
      'several documents',
      'a: 1\n---\nb: 2\n',
      '2:1 the file holds several YAML documents (`---`); a manifest is one',
    ],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', '3:1 the key `a` is given twice'],
    ['an alias without an anchor', 'a: *b\n', '1:4 the alias `*b` has no anchor `&b` before it'],
    ['an alias before its anchor', 'a: *b\nc: &b 1\n', '1:4 the alias `*b` has no anchor `&b` before it'],
    [
      'an alias inside its anchor',
      'a: &b\n  - *b\n',
      '2:5 the alias `*b` stands inside the value it repeats',
    ],
    ['a custom tag', 'a: !js/function x\n', /^1:\d+ the tag `!js\/function` is not allowed/],
    [
      'a tag of another schema',
      'a: !!binary aGk=\n',
      /^1:\d+ the tag `tag:yaml.org,2002:binary` is not allowed/,
    ],
    ['the key __proto__', 'a:\n  __proto__: {}\n', '2:3 the key `__proto__` is not allowed'],
    ['the key constructor', 'constructor: {}\n', '1:1 the key `constructor` is not allowed'],
    ['a NUL', 'a: "\\0"\n', '1:4 must not contain the NUL character'],
    ['half a surrogate pair', 'a: "\\ud800"\n', /^1:4 must be valid Unicode/],
    ['a list as a key', '? [a]\n: b\n', '1:3 a key must be a plain name'],
  ])('%s', (_, text, expected) => {
    const found = problems(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })
})

describe('YAML 1.2 is read whatever the file says of its version', () => {
  test('words of YAML 1.1 stay words', () => {
    expect(readYaml('%YAML 1.1\n---\na: yes\nb: 0o17\nc: 017\nd: 1_000\ne: 2030-01-01\n').data).toEqual({
      a: 'yes',
      b: 15,
      c: 17,
      d: '1_000',
      e: '2030-01-01',
    })
  })

  test('keys that look like numbers or truth values are names', () => {
    expect(readYaml('1: a\ntrue: b\nnull: c\n01: d\n').data).toEqual({
      1: 'a',
      true: 'b',
      null: 'c',
      '01': 'd',
    })
  })

  test('an alias stands for the newest anchor of its name', () => {
    expect(readYaml('a: &x 1\nb: *x\nc: &x 2\nd: *x\n').data).toEqual({ a: 1, b: 1, c: 2, d: 2 })
  })
})

describe('work is bounded', () => {
  const deep = (open: string, count: number) => `a:\n  ${open.repeat(count)}`

  test.each([
    ['brackets', deep('[', 100_000)],
    ['braces', deep('{a: ', 10_000)],
    ['dashes', deep('- ', 100_000)],
    ['indentation', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('nesting of %s beyond the limit is refused before anything is composed', (_, text) => {
    expect(problems(text)).toEqual([
      expect.stringContaining(`nested deeper than ${manifestLimits.depth} levels`),
    ])
  })

  test('a chain of aliases cannot nest deeper than the text may', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}]`)
    const { data, findings } = readYaml(['a0: &a0 [x]', ...lines].join('\n'))
    expect(findings[0]?.message).toBe(`nested deeper than ${manifestLimits.depth} levels`)
    expect(heightOf(data)).toBeLessThanOrEqual(manifestLimits.depth + 2)
  })

  test('a billion laughs are refused, and what is built stays small', () => {
    const lines = Array.from(
      { length: 9 },
      (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(10)}]`,
    )
    const { data, findings } = readYaml(['l0: &l0 [x]', ...lines].join('\n'))
    expect(findings[0]?.message).toBe(`aliases repeat more than ${manifestLimits.aliased_values} values`)
    expect(sizeOf(data)).toBeLessThanOrEqual(manifestLimits.aliased_values * 2)
  })

  test.each([
    ['items', `a: [${'1,'.repeat(60_000)}]`],
    ['lines', 'a: 1\n'.repeat(20_000)],
    ['empty lines', '\n'.repeat(100_001)],
    ['comments', '#\n'.repeat(60_000)],
  ])('more %s than any manifest has are refused', (_, text) => {
    expect(problems(text)).toEqual([
      expect.stringContaining(`more than ${manifestLimits.tokens} YAML tokens`),
    ])
  })

  test('a file of more than 1 MiB is refused by its bytes', () => {
    expect(problems(`a: ${'x'.repeat(manifestLimits.bytes)}`)).toEqual([
      expect.stringContaining('larger than 1 MiB'),
    ])
    expect(problems(`a: ${'é'.repeat(manifestLimits.bytes / 2)}`)).toEqual([
      expect.stringContaining('larger than 1 MiB'),
    ])
    expect(problems(`a: ${'x'.repeat(manifestLimits.bytes - 3)}`)).toEqual([])
  })

  test('many syntax errors are cut to the first ones', () => {
    expect(problems(']'.repeat(10_000)).length).toBeLessThanOrEqual(manifestLimits.syntax_issues)
  })
})

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, item) => sum + sizeOf(item), 1)
}

function heightOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(heightOf))
}
