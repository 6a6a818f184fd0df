import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [0, 'session', undefined, '0 sessions'],
  [1, 'session', undefined, '1 session'],
  [12_000, 'call', undefined, '12,000 calls'],
  [1, 'try', 'tries', '1 try'],
  [2, 'try', 'tries', '2 tries'],
])('%d of %s', (number, noun, several, text) => {
  expect(counted(number, noun, several)).toBe(text)
})
