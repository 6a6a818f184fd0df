import { type Usage, usageOf } from '../../calls/usage.ts'
import { isObject, numberOf } from '../kit/json.ts'

/** The `usageMetadata` of an answer, whose candidates leave out the thoughts; null where there is none. */
export function contentUsage(said: unknown): Usage | null {
  if (!isObject(said)) return null
  const count = (field: string) => numberOf(said[field])
  const [input, output] = [count('promptTokenCount'), count('candidatesTokenCount')]
  if (input === null && output === null) return null
  const thoughts = count('thoughtsTokenCount') ?? 0
  return usageOf({
    input_tokens: (input ?? 0) + (count('toolUsePromptTokenCount') ?? 0),
    output_tokens: (output ?? 0) + thoughts,
    cache_read_tokens: count('cachedContentTokenCount'),
    reasoning_tokens: thoughts,
  })
}

/** The same for a client. */
export function contentUsageText(usage: Usage): Record<string, unknown> {
  return {
    promptTokenCount: usage.input_tokens,
    candidatesTokenCount: usage.output_tokens - usage.reasoning_tokens,
    totalTokenCount: usage.input_tokens + usage.output_tokens,
    ...(usage.cache_read_tokens > 0 ? { cachedContentTokenCount: usage.cache_read_tokens } : {}),
    ...(usage.reasoning_tokens > 0 ? { thoughtsTokenCount: usage.reasoning_tokens } : {}),
  }
}
