import { type Usage, usageOf } from '../../calls/usage.ts'
import { isObject, numberOf, objectOf } from '../kit/json.ts'

/** The `usage` of a response; null where there is none. */
export function responseUsage(said: unknown): Usage | null {
  if (!isObject(said)) return null
  const [input, output] = [numberOf(said['input_tokens']), numberOf(said['output_tokens'])]
  if (input === null && output === null) return null
  const cached = objectOf(said['input_tokens_details'])
  return usageOf({
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: numberOf(cached['cached_tokens']),
    cache_write_tokens: numberOf(cached['cache_write_tokens']),
    reasoning_tokens: numberOf(objectOf(said['output_tokens_details'])['reasoning_tokens']),
  })
}

/** The same for a client; its input counts what was cached in. */
export function responseUsageText(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.input_tokens,
    input_tokens_details: {
      cached_tokens: usage.cache_read_tokens,
      ...(usage.cache_write_tokens > 0 ? { cache_write_tokens: usage.cache_write_tokens } : {}),
    },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
    total_tokens: usage.input_tokens + usage.output_tokens,
  }
}
