import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import {
  cacheOptions,
  functionTool,
  responseFormat,
  sampling,
  stopSequences,
  toolChoice,
  vendorOptions,
} from '../../hub/call-options.ts'
import type { HubTarget } from '../../hub/hub.ts'
import { type AssistantPart, filePart, inputOf, promptBuilder, type UserPart } from '../../hub/prompt.ts'
import { openProof } from '../../hub/reasoning.ts'
import { cannotTranslate, refuseFields } from '../../hub/refuse.ts'
import type { Body } from '../kit/body.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'
import { readChat } from './read.ts'

/** Fields that change the answer and that no other dialect has, with the values that change nothing. */
const untranslatable = {
  n: [1],
  logprobs: [false],
  top_logprobs: [0],
  audio: [],
  functions: [],
  function_call: ['none', 'auto'],
  web_search_options: [],
}

/** A chat completion request as the hub has it. */
export function chatToHub(body: Body, target: HubTarget): LanguageModelV3CallOptions {
  const { value } = body
  const { output_limit } = readChat(body)
  refuseFields(value, untranslatable)
  if (listOf(value['modalities']).some((one) => one !== 'text')) throw cannotTranslate('modalities')
  if (Object.keys(objectOf(value['logit_bias'])).length > 0) throw cannotTranslate('logit_bias')
  if (target === 'anthropic') {
    refuseFields(value, { presence_penalty: [0], frequency_penalty: [0] })
    if (objectOf(value['response_format'])['type'] === 'json_object') throw cannotTranslate('response_format')
  }
  const choice = toolChoice(value['tool_choice'], 'tool_choice')
  const tools = listOf(value['tools']).map((tool, at) => toolOf(tool, `tools.${at}`))
  const parallel = value['parallel_tool_calls']
  const { strict } = objectOf(objectOf(value['response_format'])['json_schema'])
  return {
    prompt: promptOf(value, target),
    ...(output_limit === null ? {} : { maxOutputTokens: output_limit }),
    ...sampling(body),
    ...stopSequences(value['stop']),
    ...responseFormat(value['response_format'], 'response_format'),
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
    providerOptions: vendorOptions({
      parallel: typeof parallel === 'boolean' ? parallel : null,
      effort: textOf(value['reasoning_effort']),
      is_strict: typeof strict === 'boolean' ? strict : null,
    }),
  }
}

function toolOf(tool: unknown, field: string) {
  const { type, function: said, cache_control } = objectOf(tool)
  if (type !== 'function') throw cannotTranslate(field)
  const { name, description, parameters: schema, strict } = objectOf(said)
  return functionTool(field, { name, description, schema, strict }, cache_control)
}

function promptOf(value: JsonObject, target: HubTarget) {
  const prompt = promptBuilder()
  for (const [at, message] of listOf(value['messages']).map(objectOf).entries()) {
    const field = `messages.${at}`
    switch (message['role']) {
      case 'system':
      case 'developer':
        for (const part of textParts(message, field)) prompt.system(part.text, part.providerOptions)
        break
      case 'user':
        prompt.user(userParts(message['content'], `${field}.content`))
        break
      case 'assistant':
        prompt.assistant(assistantParts(message, field))
        break
      case 'tool':
        prompt.result(String(message['tool_call_id']), {
          type: 'text',
          value: textParts(message, field)
            .map(({ text }) => text)
            .join(''),
        })
        break
      default:
        throw cannotTranslate(`${field}.role`)
    }
  }
  return prompt.done(target)
}

function textParts(message: JsonObject, field: string) {
  return userParts(message['content'], `${field}.content`).map((part, at) => {
    if (part.type !== 'text') throw cannotTranslate(`${field}.content.${at}`)
    return part
  })
}

function userParts(content: unknown, field: string): readonly UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content).map((item, at): UserPart => {
    const part = objectOf(item)
    const place = `${field}.${at}`
    const cache = cacheOptions(part['cache_control'])
    switch (part['type']) {
      case 'text':
      case 'refusal':
        return { type: 'text', text: textOf(part['text']) ?? textOf(part['refusal']) ?? '', ...cache }
      case 'image_url':
        return { ...filePart(objectOf(part['image_url'])['url'] ?? part['image_url'], place), ...cache }
      case 'file': {
        const { file_data, filename } = objectOf(part['file'])
        return { ...filePart(file_data, place, filename, 'application/pdf'), ...cache }
      }
      default:
        throw cannotTranslate(place)
    }
  })
}

function assistantParts(message: JsonObject, field: string): readonly AssistantPart[] {
  const calls = listOf(message['tool_calls']).map((call, at): AssistantPart => {
    const { id, function: said } = objectOf(call)
    const { name, arguments: written } = objectOf(said)
    if (typeof id !== 'string' || typeof name !== 'string') throw cannotTranslate(`${field}.tool_calls.${at}`)
    return { type: 'tool-call', toolCallId: id, toolName: name, input: inputOf(written) }
  })
  return [...reasoningParts(message), ...userParts(message['content'], `${field}.content`), ...calls]
}

/** Reasoning comes back with its proof in `reasoning_details`, or as bare text without one. */
function reasoningParts(message: JsonObject): readonly AssistantPart[] {
  const details = listOf(message['reasoning_details'])
    .filter(isObject)
    .flatMap((detail): AssistantPart[] => {
      const proof = openProof(textOf(detail['signature']) ?? textOf(detail['data']))
      if (proof === null) return []
      return [{ type: 'reasoning', text: textOf(detail['text']) ?? '', providerOptions: proof }]
    })
  const text = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? ''
  if (details.length > 0 || text === '') return details
  return [{ type: 'reasoning', text }]
}
