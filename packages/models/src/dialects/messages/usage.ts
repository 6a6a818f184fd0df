import { type Usage, usageOf } from '../../calls/usage.ts'
import { isObject, type JsonObject, numberOf, objectOf } from '../kit/json.ts'

/** The `usage` of a message, whose input leaves out what was cached; null where there is none. */
export function messageUsage(said: unknown): Usage | null {
  if (!isObject(said)) return null
  const count = (field: string) => numberOf(said[field])
  const [input, output] = [count('input_tokens'), count('output_tokens')]
  if (input === null && output === null) return null
  const [read, write] = [count('cache_read_input_tokens') ?? 0, count('cache_creation_input_tokens') ?? 0]
  return usageOf({
    input_tokens: (input ?? 0) + read + write,
    output_tokens: output,
    cache_read_tokens: read,
    cache_write_tokens: write,
    cache_write_1h_tokens: numberOf(objectOf(said['cache_creation'])['ephemeral_1h_input_tokens']),
    reasoning_tokens: numberOf(objectOf(said['output_tokens_details'])['thinking_tokens']),
  })
}

/** The usage of a stream so far: a later one replaces each count that it names, since they are sums already. */
export function replacedUsage(before: JsonObject, said: unknown): JsonObject {
  const named = Object.entries(objectOf(said)).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(named) }
}

/** The same for a client. */
export function messageUsageText(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens,
    output_tokens: usage.output_tokens,
    cache_creation_input_tokens: usage.cache_write_tokens,
    cache_read_input_tokens: usage.cache_read_tokens,
  }
}
