import { expect, test } from 'vitest'
import { usd } from './usd.ts'

test.each([
  [0, '$0.00'],
  [5_000_000, '$5.00'],
  [1, '$0.000001'],
  [-1_230_000, '-$1.23'],
  [1_000_000_000_000, '$1000000.00'],
])('%i micro-dollars are %s', (micros, text) => expect(usd(micros)).toBe(text))
