import { expect, test } from 'vitest'
import { seconds } from './seconds.ts'

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [7_199, '1 h'],
  [200_000, '2 d'],
])('%i is %s', (value, text) => expect(seconds(value)).toBe(text))
