import { expect, test } from 'vitest'
import { sizeWords } from './size-words.ts'

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [20 * 1024 * 1024, '20 MiB'],
  [5 * 1024 ** 4, '5120 GiB'],
])('%i is %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words))
