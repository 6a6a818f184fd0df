import { expect, test } from 'vitest'
import { noUsage, Usage, usageOf } from './usage.ts'

test('what a provider leaves out is none', () => {
  expect(usageOf({ input_tokens: 7, output_tokens: null })).toEqual({ ...noUsage, input_tokens: 7 })
})

test('a part that is larger than its whole raises it, so that it is paid', () => {
  const usage = usageOf({
    input_tokens: 5,
    cache_read_tokens: 4,
    cache_write_1h_tokens: 3,
    reasoning_tokens: 2,
  })
  expect(usage).toEqual({
    input_tokens: 7,
    output_tokens: 2,
    cache_read_tokens: 4,
    cache_write_tokens: 3,
    cache_write_1h_tokens: 3,
    reasoning_tokens: 2,
  })
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%s is no count', (input_tokens) => {
  expect(Usage.parse(usageOf({ input_tokens }))).toEqual(noUsage)
})
