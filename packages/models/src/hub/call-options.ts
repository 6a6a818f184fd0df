import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ToolChoice,
} from '@ai-sdk/provider'
import type { Body } from '../dialects/kit/body.ts'
import { isObject, numberOf, objectOf, textOf } from '../dialects/kit/json.ts'
import { schemaOf } from './boundary.ts'
import { cannotTranslate } from './refuse.ts'

/** The namespace of options of an OpenAI-compatible provider: the name to give to `createOpenAICompatible`. */
export const compatibleName = 'openaiCompatible'

/** Wishes that each kind of provider reads under its own name; a provider without one of them does without. */
export interface Wishes {
  readonly parallel: boolean | null
  readonly effort: string | null
  readonly summary?: string | null
  readonly is_strict?: boolean | null
  readonly thinking?: Readonly<Record<string, string | number>>
}

export function vendorOptions({ parallel, effort, summary, is_strict, thinking }: Wishes) {
  const openai = {
    store: false,
    ...(parallel === null ? {} : { parallelToolCalls: parallel }),
    ...(effort === null ? {} : { reasoningEffort: effort }),
    ...(typeof summary === 'string' ? { reasoningSummary: summary } : {}),
    ...(typeof is_strict === 'boolean' ? { strictJsonSchema: is_strict } : {}),
  }
  const compatible = {
    ...(parallel === null ? {} : { parallel_tool_calls: parallel }),
    ...(typeof is_strict === 'boolean' ? { strictJsonSchema: is_strict } : {}),
  }
  const anthropic = {
    ...(parallel === null ? {} : { disableParallelToolUse: !parallel }),
    ...(thinking === undefined ? {} : { thinking }),
  }
  return { openai, [compatibleName]: compatible, anthropic }
}

/** Numbers of sampling, under the names that the dialects share. */
export function sampling({ value }: Body): Partial<LanguageModelV3CallOptions> {
  const named = [
    ['temperature', 'temperature'],
    ['top_p', 'topP'],
    ['presence_penalty', 'presencePenalty'],
    ['frequency_penalty', 'frequencyPenalty'],
    ['seed', 'seed'],
  ] as const
  return Object.fromEntries(
    named.flatMap(([field, option]) => {
      const number = numberOf(value[field])
      return number === null ? [] : [[option, number]]
    }),
  )
}

/** A tool of any dialect, whose fields are here by the dialect's own names. */
export function functionTool(
  field: string,
  said: {
    readonly name: unknown
    readonly description: unknown
    readonly schema: unknown
    readonly strict: unknown
  },
  cacheMark?: unknown,
): LanguageModelV3FunctionTool {
  const name = textOf(said.name)
  if (name === null) throw cannotTranslate(field)
  const description = textOf(said.description)
  return {
    type: 'function',
    name,
    ...(description === null ? {} : { description }),
    inputSchema: schemaOf(said.schema),
    ...(typeof said.strict === 'boolean' ? { strict: said.strict } : {}),
    ...cacheOptions(cacheMark),
  }
}

/** The mark of a part that the provider should keep; only Anthropic reads one. */
export function cacheOptions(mark: unknown) {
  if (!isObject(mark)) return {}
  const ttl = textOf(mark['ttl'])
  return {
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ...(ttl === null ? {} : { ttl }) } } },
  }
}

/** `auto`, `none`, `required` or one tool by its name; undefined where nothing is said. */
export function toolChoice(said: unknown, field: string): LanguageModelV3ToolChoice | undefined {
  if ((said ?? null) === null) return undefined
  const type = textOf(said) ?? textOf(objectOf(said)['type'])
  const name = textOf(objectOf(said)['name']) ?? textOf(objectOf(objectOf(said)['function'])['name'])
  switch (type) {
    case 'auto':
    case 'none':
    case 'required':
      return { type }
    case 'any':
      return { type: 'required' }
    case 'tool':
    case 'function':
      if (name !== null) return { type: 'tool', toolName: name }
      throw cannotTranslate(field)
    default:
      throw cannotTranslate(field)
  }
}

/** The shape that an answer must have: `json_schema`, or any JSON. */
export function responseFormat(
  said: unknown,
  field: string,
): Pick<LanguageModelV3CallOptions, 'responseFormat'> {
  if (!isObject(said) || said['type'] === 'text') return {}
  const inner = isObject(said['json_schema']) ? said['json_schema'] : said
  const [name, description] = [textOf(inner['name']), textOf(inner['description'])]
  if (said['type'] === 'json_object') return { responseFormat: { type: 'json' } }
  if (said['type'] !== 'json_schema') throw cannotTranslate(field)
  return {
    responseFormat: {
      type: 'json',
      schema: schemaOf(inner['schema']),
      ...(name === null ? {} : { name }),
      ...(description === null ? {} : { description }),
    },
  }
}

/** Texts at which an answer stops. */
export function stopSequences(said: unknown): Pick<LanguageModelV3CallOptions, 'stopSequences'> {
  const list = (Array.isArray(said) ? said : [said]).filter(
    (text): text is string => typeof text === 'string',
  )
  return list.length === 0 ? {} : { stopSequences: list }
}
