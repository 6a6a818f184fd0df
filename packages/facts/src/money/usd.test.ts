import { expect, test } from 'vitest'
import { microsOfUsd, usd } from './usd.ts'

test.each([
  [0, '$0.00'],
  [5_000_000, '$5.00'],
  [1, '$0.000001'],
  [300_000, '$0.30'],
  [1_250_000_000, '$1250.00'],
])('%i micro-dollars are %s, which is read back', (amount, text) => {
  expect(usd(amount)).toBe(text)
  expect(microsOfUsd(text)).toBe(amount)
})

test('less than nothing is written with its sign', () => {
  expect(usd(-1_230_000)).toBe('-$1.23')
})

test.each([
  ['5', 5_000_000],
  ['0.3', 300_000],
  ['$15', 15_000_000],
  ['0.000001', 1],
])('%s is %i micro-dollars', (text, amount) => expect(microsOfUsd(text)).toBe(amount))

test.each(['', '-1', '1e3', '1.', '.5', '0.0000001', '1,5', 'ten', '12345678'])('%j is no amount', (text) =>
  expect(microsOfUsd(text)).toBe(null),
)
