import { expect, test } from 'vitest'
import { objectKey } from './object-key.ts'

test.each(['a', 'repos/1-2/packs/ff.pack', 'month=2026-11/..x', 'A_B'])('%s is a key', (key) =>
  expect(objectKey(key)).toBe(key),
)

test.each([
  '',
  '/a',
  'a/',
  'a//b',
  '..',
  'a/../b',
  './a',
  'a b',
  'ä',
  'a\\b',
  'a'.repeat(256),
  'a/'.repeat(500) + 'a',
])('%j is none', (key) => expect(() => objectKey(key)).toThrow('cannot be the key of an object'))
