import { expect, test } from 'vitest'
import { capOf, capText } from './cap.ts'

test.each([
  ['5', 5_000_000],
  [' 0.10 ', 100_000],
  ['0', 0],
  ['0.000001', 1],
  ['-1', null],
  ['1,5', null],
  ['', null],
  ['1e3', null],
])('%j is %s micro-dollars', (text, micros) => expect(capOf(text)).toBe(micros))

test('a cap is typed as it was shown', () => {
  for (const micros of [0, 1, 100_000, 5_000_000, 12_345_678]) expect(capOf(capText(micros))).toBe(micros)
})
