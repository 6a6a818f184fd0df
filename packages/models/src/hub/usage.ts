import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { type Usage, usageOf } from '../calls/usage.ts'
import { numberOf, objectOf } from '../dialects/kit/json.ts'

/** The usage of a translated call, as it is metered and as writers tell it. */
export function hubUsage({ inputTokens, outputTokens, raw }: LanguageModelV3Usage): Usage {
  return usageOf({
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    cache_read_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    cache_write_1h_tokens: numberOf(objectOf(objectOf(raw)['cache_creation'])['ephemeral_1h_input_tokens']),
    reasoning_tokens: outputTokens.reasoning,
  })
}
