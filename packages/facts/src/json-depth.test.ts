import { expect, test } from 'vitest'
import { isDeeper } from './json-depth.ts'

test.each([
  ['x', 0, false],
  [{}, 0, true],
  [{}, 1, false],
  [{ a: { b: 1 } }, 1, true],
  [{ a: { b: 1 } }, 2, false],
  [[[null]], 1, true],
  [[[null]], 2, false],
])('%j at %i', (json, depth, deeper) => {
  expect(isDeeper(json, depth)).toBe(deeper)
})

test('what is too deep for a function that calls itself is judged as well', () => {
  const json: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  expect(isDeeper(json, 1000)).toBe(true)
  expect(isDeeper(json, 200_000)).toBe(false)
})
