import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage, usageOf } from '../calls/usage.ts'
import { costMicros } from './cost.ts'

test('each token has its price, the sum is rounded up once, and the request is added', () => {
  const card = {
    input: 3_000_000,
    output: 15_000_000,
    cache_read: 300_000,
    cache_write: 3_750_000,
    request: 7,
  }
  const usage = usageOf({
    input_tokens: 1_000,
    output_tokens: 10,
    cache_read_tokens: 100,
    cache_write_tokens: 200,
  })
  // 700 x 3 + 100 x 0.3 + 200 x 3.75 + 10 x 15
  expect(costMicros(usage, card)).toBe(2_100n + 30n + 750n + 150n + 7n)
  expect(costMicros(usageOf({ input_tokens: 1 }), { input: 1, output: 0 })).toBe(1n)
  expect(costMicros(noUsage, { input: 9, output: 9 })).toBe(0n)
})

test('writes of an hour and reasoning have rates of their own', () => {
  const card = { input: 1_000_000, output: 2_000_000, cache_write_1h: 5_000_000, reasoning: 3_000_000 }
  const usage = usageOf({
    input_tokens: 10,
    cache_write_tokens: 4,
    cache_write_1h_tokens: 3,
    output_tokens: 6,
    reasoning_tokens: 2,
  })
  expect(costMicros(usage, card)).toBe(6n + 1n + 15n + 8n + 6n)
})

test('it is exact where floating numbers are not', () => {
  const usage = usageOf({ input_tokens: 9_007_199_254_740_991 })
  expect(costMicros(usage, { input: 999_999_999_999, output: 0 })).toBe(
    (9_007_199_254_740_991n * 999_999_999_999n + 999_999n) / 1_000_000n,
  )
})

test('more tokens never cost less under one tier', () => {
  const rate = fc.integer({ min: 0, max: 100_000_000 })
  const count = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(rate, rate, count, count, count, (input, output, tokens, more, out) => {
      const cost = (input_tokens: number) =>
        costMicros(usageOf({ input_tokens, output_tokens: out }), { input, output })
      expect(cost(tokens + more) >= cost(tokens)).toBe(true)
    }),
  )
})
