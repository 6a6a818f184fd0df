import { z } from 'zod'

const tokens = z.number().int().min(0)

/**
 * The tokens of a call, whatever the dialect. `input_tokens` is the whole input: the cached ones are parts of it, and
 * `cache_write_1h_tokens` is a part of `cache_write_tokens`, as `reasoning_tokens` is of the output.
 */
export const Usage = z.strictObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  cache_write_1h_tokens: tokens,
  reasoning_tokens: tokens,
})

export type Usage = Readonly<z.infer<typeof Usage>>

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
}

/** The usage of what a provider says: counts are whole and not negative, and no part is larger than its whole. */
export function usageOf(said: Partial<Record<keyof Usage, number | null | undefined>>): Usage {
  const count = (key: keyof Usage) => {
    const value = said[key] ?? 0
    return Number.isFinite(value) && value > 0 ? Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) : 0
  }
  const [cache_read_tokens, cache_write_1h_tokens] = [
    count('cache_read_tokens'),
    count('cache_write_1h_tokens'),
  ]
  const cache_write_tokens = Math.max(count('cache_write_tokens'), cache_write_1h_tokens)
  const reasoning_tokens = count('reasoning_tokens')
  return {
    input_tokens: Math.max(count('input_tokens'), cache_read_tokens + cache_write_tokens),
    output_tokens: Math.max(count('output_tokens'), reasoning_tokens),
    cache_read_tokens,
    cache_write_tokens,
    cache_write_1h_tokens,
    reasoning_tokens,
  }
}
