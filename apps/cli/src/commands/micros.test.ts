import { expect, test } from 'vitest'
import { cap, micros } from './micros.ts'

test.each([
  ['5.00', 5_000_000],
  ['0', 0],
  ['$12', 12_000_000],
  ['0.000001', 1],
  ['19.99', 19_990_000],
  ['-0.25', -250_000],
  ['1000000', 1_000_000_000_000],
])('%s dollars are %i micro-dollars', (text, amount) => expect(micros(text)).toBe(amount))

test.each(['', 'five', '1e3', '1.0000001', '.5', '1,50', '1000000.01', '99999999'])('%j is refused', (text) =>
  expect(() => micros(text)).toThrow(/must be/),
)

test('a cap is not below nothing', () => {
  expect(cap('0')).toBe(0)
  expect(() => cap('-1')).toThrow('below 0')
})
