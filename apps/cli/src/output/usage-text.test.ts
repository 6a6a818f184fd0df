import { expect, test } from 'vitest'
import { usageText } from './usage-text.ts'

const usage = { calls: 2, input_tokens: 1200, output_tokens: 34, cost_micros: 12_345, unpriced_calls: 0 }

test.each([
  [{ ...usage, calls: 0 }, null],
  [usage, '$0.012345 (2 calls, 1,200 tokens in, 34 out)'],
  [
    { ...usage, calls: 1, cost_micros: 0, unpriced_calls: 1 },
    '$0.00 and 1 without a price (1 call, 1,200 tokens in, 34 out)',
  ],
])('%j is told as %s', (given, text) => expect(usageText(given)).toBe(text))
