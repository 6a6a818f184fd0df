import type { LanguageModelV3CallOptions, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import { functionTool, responseFormat, sampling, toolChoice, vendorOptions } from '../../hub/call-options.ts'
import type { HubTarget } from '../../hub/hub.ts'
import {
  type AssistantPart,
  filePart,
  inputOf,
  promptBuilder,
  resultParts,
  type UserPart,
} from '../../hub/prompt.ts'
import { openProof } from '../../hub/reasoning.ts'
import { cannotTranslate, refuseFields } from '../../hub/refuse.ts'
import type { Body } from '../kit/body.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'
import { readResponses } from './read.ts'

/** A response request as the hub has it. */
export function responsesToHub(body: Body, target: HubTarget): LanguageModelV3CallOptions {
  const { value } = body
  const { output_limit } = readResponses(body)
  refuseFields(value, { prompt: [], top_logprobs: [0], truncation: ['disabled'], context_management: [] })
  const format = objectOf(value['text'])['format']
  if (target === 'anthropic' && objectOf(format)['type'] === 'json_object')
    throw cannotTranslate('text.format')
  const choice = toolChoice(value['tool_choice'], 'tool_choice')
  const tools = listOf(value['tools']).map((tool, at) => toolOf(tool, `tools.${at}`))
  const parallel = value['parallel_tool_calls']
  const { effort, summary } = objectOf(value['reasoning'])
  const { strict } = objectOf(format)
  return {
    prompt: promptOf(value, target),
    ...(output_limit === null ? {} : { maxOutputTokens: output_limit }),
    ...sampling(body),
    ...responseFormat(format, 'text.format'),
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
    providerOptions: vendorOptions({
      parallel: typeof parallel === 'boolean' ? parallel : null,
      effort: textOf(effort),
      summary: textOf(summary),
      is_strict: typeof strict === 'boolean' ? strict : null,
    }),
  }
}

function toolOf(tool: unknown, field: string) {
  const { type, name, description, parameters: schema, strict } = objectOf(tool)
  if (type !== 'function') throw cannotTranslate(field)
  return functionTool(field, { name, description, schema, strict })
}

function promptOf(value: JsonObject, target: HubTarget) {
  const prompt = promptBuilder()
  prompt.system(textOf(value['instructions']) ?? '')
  const text = textOf(value['input'])
  if (text !== null) prompt.user([{ type: 'text', text }])
  for (const [at, item] of listOf(value['input']).map(objectOf).entries()) {
    const field = `input.${at}`
    switch (item['type'] ?? 'message') {
      case 'message': {
        const parts = contentParts(item['content'], `${field}.content`)
        if (item['role'] === 'assistant') prompt.assistant(parts)
        else if (item['role'] === 'user') prompt.user(parts)
        else prompt.system(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
        break
      }
      case 'reasoning':
        prompt.assistant(reasoningParts(item))
        break
      case 'function_call':
        prompt.assistant([
          {
            type: 'tool-call',
            toolCallId: String(item['call_id']),
            toolName: String(item['name']),
            input: inputOf(item['arguments']),
          },
        ])
        break
      case 'function_call_output':
        prompt.result(String(item['call_id']), resultOutput(item['output'], `${field}.output`))
        break
      default:
        throw cannotTranslate(field)
    }
  }
  return prompt.done(target)
}

function contentParts(content: unknown, field: string): readonly UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content).map((item, at): UserPart => {
    const part = objectOf(item)
    switch (part['type']) {
      case 'input_text':
      case 'output_text':
      case 'refusal':
        return { type: 'text', text: textOf(part['text']) ?? textOf(part['refusal']) ?? '' }
      case 'input_image':
        return filePart(part['image_url'], `${field}.${at}`)
      case 'input_file':
        return filePart(
          part['file_data'] ?? part['file_url'],
          `${field}.${at}`,
          part['filename'],
          'application/pdf',
        )
      default:
        throw cannotTranslate(`${field}.${at}`)
    }
  })
}

function reasoningParts({ id, encrypted_content, summary, content }: JsonObject): readonly AssistantPart[] {
  const encrypted = textOf(encrypted_content)
  const own = {
    openai: {
      ...(typeof id === 'string' ? { itemId: id } : {}),
      ...(encrypted === null ? {} : { reasoningEncryptedContent: encrypted }),
    },
  }
  const providerOptions = openProof(encrypted) ?? own
  const all = [...listOf(summary), ...listOf(content)].map((part) => textOf(objectOf(part)['text']) ?? '')
  return [{ type: 'reasoning', text: all.join('\n\n'), providerOptions }]
}

function resultOutput(output: unknown, field: string): LanguageModelV3ToolResultOutput {
  const text = textOf(output)
  if (text !== null) return { type: 'text', value: text }
  return resultParts(contentParts(output, field), field)
}
