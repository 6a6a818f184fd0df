import { expect, test } from 'vitest'
import { durationMs } from './durations.ts'

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['', null],
  ['0s', null],
  ['05m', null],
  ['5', null],
  ['5w', null],
  ['1.5h', null],
  ['5m ', null],
  ['-5m', null],
])('%j is %j ms', (text, ms) => expect(durationMs(text)).toBe(ms))
