import type { JSONSchema7, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { isObject } from '../dialects/kit/json.ts'

type Schema = LanguageModelV3FunctionTool['inputSchema']

/** A schema of a request as the hub has it: the hub passes it on, and only a provider reads it. */
export function schemaOf(value: unknown): Schema {
  // Named boundary: any object is taken for a schema, as both sides' wire formats do.
  return (isObject(value) ? value : { type: 'object', properties: {} }) as JSONSchema7
}
