import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import {
  functionTool,
  responseFormat,
  sampling,
  stopSequences,
  toolChoice,
  vendorOptions,
} from '../../hub/call-options.ts'
import type { HubTarget } from '../../hub/hub.ts'
import { cannotTranslate, refuseFields } from '../../hub/refuse.ts'
import type { Body } from '../kit/body.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../kit/json.ts'
import { contentPrompt } from './hub-prompt.ts'
import { member } from './member.ts'
import { readContent } from './read.ts'
import { jsonSchema } from './schema.ts'

/** Fields of `generationConfig` that change the answer and that no other dialect has. */
const untranslatable = {
  candidateCount: [1],
  responseLogprobs: [false],
  logprobs: [0],
  speechConfig: [],
  imageConfig: [],
  audioTimestamp: [false],
}

/** A content request as the hub has it. */
export function contentToHub(body: Body, target: HubTarget): LanguageModelV3CallOptions {
  const { value } = body
  const { output_limit } = readContent(body)
  const said = objectOf(member(value, 'generationConfig'))
  const config = (name: string) => member(said, name)
  refuseFields(value, { cachedContent: [], cached_content: [] })
  refuseFields(
    Object.fromEntries(Object.keys(untranslatable).map((name) => [name, config(name)])),
    untranslatable,
  )
  if (listOf(config('responseModalities')).some((one) => String(one).toUpperCase() !== 'TEXT'))
    throw cannotTranslate('generationConfig.responseModalities')
  // Neither has a word for these.
  if (target === 'openai') refuseFields({ stopSequences: config('stopSequences') }, { stopSequences: [] })
  const penalties = {
    presence_penalty: config('presencePenalty'),
    frequency_penalty: config('frequencyPenalty'),
  }
  if (target === 'anthropic') refuseFields(penalties, { presence_penalty: [0], frequency_penalty: [0] })
  const numbers = { temperature: config('temperature'), top_p: config('topP'), seed: config('seed') }
  const topK = numberOf(config('topK'))
  const { choice, allowed } = choiceOf(value)
  const tools = toolsOf(value).filter(({ name }) => allowed === null || allowed.includes(name))
  return {
    prompt: contentPrompt(value, target),
    ...(output_limit === null ? {} : { maxOutputTokens: output_limit }),
    ...sampling({ ...body, value: { ...numbers, ...penalties } }),
    // A hint to the sampler: those without it do without.
    ...(topK !== null && target === 'anthropic' ? { topK } : {}),
    ...stopSequences(config('stopSequences')),
    ...responseFormat(formatOf(said, target), 'generationConfig.responseMimeType'),
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
    providerOptions: vendorOptions({ parallel: null, effort: effortOf(said), is_strict: null }),
  }
}

function formatOf(said: JsonObject, target: HubTarget): unknown {
  const type = textOf(member(said, 'responseMimeType')) ?? 'text/plain'
  if (type === 'text/plain') return undefined
  const schema = member(said, 'responseJsonSchema') ?? jsonSchema(member(said, 'responseSchema'))
  if (type !== 'application/json' || (schema === undefined && target === 'anthropic'))
    throw cannotTranslate('generationConfig.responseMimeType')
  return schema === undefined ? { type: 'json_object' } : { type: 'json_schema', name: 'answer', schema }
}

/** The nearest word for a budget of thinking. */
function effortOf(said: JsonObject): string | null {
  const thinking = objectOf(member(said, 'thinkingConfig'))
  const level = textOf(member(thinking, 'thinkingLevel'))?.toLowerCase()
  if (level !== undefined && ['minimal', 'low', 'medium', 'high'].includes(level)) return level
  const budget = numberOf(member(thinking, 'thinkingBudget'))
  // Zero asks for none, and -1 leaves it to the model: both are what a model does by itself.
  if (budget === null || budget <= 0) return null
  return budget < 4_096 ? 'low' : budget < 16_384 ? 'medium' : 'high'
}

function toolsOf(value: JsonObject) {
  return listOf(value['tools']).flatMap((tool, at) => {
    const [own] = Object.keys(objectOf(tool)).filter((name) => !/^function_?declarations$/i.test(name))
    if (own !== undefined) throw cannotTranslate(`tools.${at}.${own}`)
    return listOf(member(objectOf(tool), 'functionDeclarations')).map((said, n) => {
      const { name, description, parameters } = objectOf(said)
      const schema = member(objectOf(said), 'parametersJsonSchema') ?? jsonSchema(parameters)
      const field = `tools.${at}.functionDeclarations.${n}`
      return functionTool(field, { name, description, schema, strict: undefined })
    })
  })
}

/** The choice among the tools; several allowed ones are the only ones that the model is shown. */
function choiceOf(value: JsonObject) {
  const config = objectOf(member(objectOf(member(value, 'toolConfig')), 'functionCallingConfig'))
  const field = 'toolConfig.functionCallingConfig'
  const names = listOf(member(config, 'allowedFunctionNames')).map(String)
  const mode = textOf(config['mode'])?.toUpperCase()
  switch (mode) {
    case undefined:
    case 'MODE_UNSPECIFIED':
      return { choice: undefined, allowed: null }
    case 'AUTO':
    case 'VALIDATED':
      return { choice: toolChoice('auto', field), allowed: names.length === 0 ? null : names }
    case 'NONE':
      return { choice: toolChoice('none', field), allowed: null }
    case 'ANY':
      if (names.length === 1)
        return { choice: toolChoice({ type: 'tool', name: names[0] }, field), allowed: null }
      return { choice: toolChoice('required', field), allowed: names.length === 0 ? null : names }
    default:
      throw cannotTranslate(`${field}.mode`)
  }
}
