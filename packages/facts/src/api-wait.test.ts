import { expect, test } from 'vitest'
import { apiWaitMs } from './api-wait.ts'

test.each([
  [undefined, true, 30_000],
  [undefined, false, 0],
  ['', true, 30_000],
  ['0', true, 0],
  ['7', false, 7_000],
  ['120', true, 120_000],
  ['121', true, null],
  ['-1', true, null],
  ['1.5', true, null],
  ['soon', false, null],
] as const)('%j in a sandbox %j is %j', (value, is_sandbox, ms) => {
  expect(apiWaitMs(value, is_sandbox)).toBe(ms)
})
