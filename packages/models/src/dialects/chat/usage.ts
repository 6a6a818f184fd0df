import { type Usage, usageOf } from '../../calls/usage.ts'
import { isObject, numberOf, objectOf } from '../kit/json.ts'

/** The `usage` of a chat completion or of one of its chunks; null where there is none. */
export function chatUsage(said: unknown): Usage | null {
  if (!isObject(said)) return null
  const input = numberOf(said['prompt_tokens'])
  const output = numberOf(said['completion_tokens'])
  if (input === null && output === null) return null
  const cached = objectOf(said['prompt_tokens_details'])
  const reasoning =
    numberOf(objectOf(said['completion_tokens_details'])['reasoning_tokens']) ??
    numberOf(said['reasoning_tokens']) ??
    0
  // Some providers count reasoning beside the completion; the total says so.
  const isApart = reasoning > 0 && said['total_tokens'] === (input ?? 0) + (output ?? 0) + reasoning
  return usageOf({
    input_tokens: input,
    output_tokens: (output ?? 0) + (isApart ? reasoning : 0),
    cache_read_tokens: numberOf(cached['cached_tokens']) ?? numberOf(said['cached_tokens']),
    cache_write_tokens: numberOf(cached['cache_write_tokens']),
    reasoning_tokens: reasoning,
  })
}

/** The same for a client; its input counts what was cached in. */
export function chatUsageText(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.input_tokens + usage.output_tokens,
    prompt_tokens_details: {
      cached_tokens: usage.cache_read_tokens,
      ...(usage.cache_write_tokens > 0 ? { cache_write_tokens: usage.cache_write_tokens } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  }
}
