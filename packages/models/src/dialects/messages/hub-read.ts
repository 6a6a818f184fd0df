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
import { type AssistantPart, inputOf, promptBuilder } from '../../hub/prompt.ts'
import { openProof } from '../../hub/reasoning.ts'
import { cannotTranslate, refuseFields } from '../../hub/refuse.ts'
import type { Body } from '../kit/body.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../kit/json.ts'
import { userPart, resultOutput } from './hub-parts.ts'
import { readMessages } from './read.ts'

/** A message request as the hub has it. */
export function messagesToHub(body: Body, target: HubTarget): LanguageModelV3CallOptions {
  const { value } = body
  const { output_limit } = readMessages(body)
  refuseFields(value, { mcp_servers: [], container: [] })
  // Neither has a word for these.
  if (target === 'openai') refuseFields(value, { stop_sequences: [] })
  if (target !== 'anthropic') refuseFields(value, { top_k: [] })
  const choice = toolChoice(value['tool_choice'], 'tool_choice')
  const tools = listOf(value['tools']).map((tool, at) => toolOf(tool, `tools.${at}`))
  const disabled = objectOf(value['tool_choice'])['disable_parallel_tool_use']
  const config = objectOf(value['output_config'])
  return {
    prompt: promptOf(value, target),
    ...(output_limit === null ? {} : { maxOutputTokens: output_limit }),
    ...sampling(body),
    ...stopSequences(value['stop_sequences']),
    ...responseFormat(config['format'] ?? value['output_format'], 'output_config.format'),
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
    providerOptions: vendorOptions({
      parallel: typeof disabled === 'boolean' ? !disabled : null,
      effort: effortOf(value),
      is_strict: null,
    }),
  }
}

/** The nearest word for a budget of thinking. */
function effortOf(value: JsonObject): string | null {
  const named = textOf(objectOf(value['output_config'])['effort'])
  if (named !== null) return named === 'max' ? 'high' : named
  const budget = numberOf(objectOf(value['thinking'])['budget_tokens'])
  if (budget === null) return null
  return budget < 4_096 ? 'low' : budget < 16_384 ? 'medium' : 'high'
}

function toolOf(tool: unknown, field: string) {
  const { type = 'custom', name, description, input_schema: schema, strict, cache_control } = objectOf(tool)
  if (type !== 'custom') throw cannotTranslate(field)
  return functionTool(field, { name, description, schema, strict }, cache_control)
}

function promptOf(value: JsonObject, target: HubTarget) {
  const prompt = promptBuilder()
  const system = textOf(value['system'])
  if (system !== null) prompt.system(system)
  for (const block of listOf(value['system']).map(objectOf))
    prompt.system(textOf(block['text']) ?? '', cacheOptions(block['cache_control']).providerOptions)
  for (const [at, message] of listOf(value['messages']).map(objectOf).entries()) {
    const field = `messages.${at}.content`
    const text = textOf(message['content'])
    const blocks = text === null ? listOf(message['content']).map(objectOf) : [{ type: 'text', text }]
    if (message['role'] === 'assistant')
      prompt.assistant(blocks.map((block, n) => assistantPart(block, `${field}.${n}`)))
    else if (message['role'] === 'system')
      for (const block of blocks) prompt.system(textOf(block['text']) ?? '')
    else {
      for (const [n, block] of blocks.entries()) {
        if (block['type'] !== 'tool_result') continue
        const mark = cacheOptions(block['cache_control']).providerOptions
        prompt.result(String(block['tool_use_id']), resultOutput(block, `${field}.${n}`), mark)
      }
      prompt.user(
        blocks.flatMap((block, n) =>
          block['type'] === 'tool_result' ? [] : [userPart(block, `${field}.${n}`)],
        ),
      )
    }
  }
  return prompt.done(target)
}

function assistantPart(block: JsonObject, field: string): AssistantPart {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: textOf(block['text']) ?? '', ...cacheOptions(block['cache_control']) }
    case 'thinking': {
      const signature = textOf(block['signature'])
      const own = signature === null ? {} : { anthropic: { signature } }
      const providerOptions = openProof(signature) ?? own
      return { type: 'reasoning', text: textOf(block['thinking']) ?? '', providerOptions }
    }
    case 'redacted_thinking': {
      const redactedData = textOf(block['data']) ?? ''
      return {
        type: 'reasoning',
        text: '',
        providerOptions: openProof(redactedData) ?? { anthropic: { redactedData } },
      }
    }
    case 'tool_use':
      return {
        type: 'tool-call',
        toolCallId: String(block['id']),
        toolName: String(block['name']),
        input: inputOf(block['input']),
        ...cacheOptions(block['cache_control']),
      }
    default:
      throw cannotTranslate(field)
  }
}
