import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'
import type { HubResult } from '@svc/models'
import type { ChatMessage, ChatRequest } from '../chat-request.ts'
import { complete, pieces } from '../demo-model/completion.ts'

/** The scripted model's answer to a prompt of the hub. */
export function demoResult(options: LanguageModelV3CallOptions, now: Date): HubResult {
  const { id, step, arguments: input, usage } = complete(requestOf(options), now)
  const { text, call } = step
  const calls =
    call === null
      ? []
      : [{ type: 'tool-call' as const, toolCallId: `call_${id}`, toolName: call.tool, input }]
  const unified = call === null ? 'stop' : 'tool-calls'
  return {
    content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: {
        total: usage.prompt_tokens,
        noCache: usage.prompt_tokens,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: usage.completion_tokens, text: usage.completion_tokens, reasoning: undefined },
    },
  }
}

/** The same in the small pieces of a stream. */
export function* demoParts({
  content,
  finishReason,
  usage,
}: HubResult): Generator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const [at, part] of content.entries()) {
    const id = String(at)
    if (part.type === 'text') {
      yield { type: 'text-start', id }
      for (const delta of pieces(part.text)) yield { type: 'text-delta', id, delta }
      yield { type: 'text-end', id }
    } else if (part.type === 'tool-call') {
      const { toolCallId, toolName, input } = part
      yield { type: 'tool-input-start', id: toolCallId, toolName }
      for (const delta of pieces(input)) yield { type: 'tool-input-delta', id: toolCallId, delta }
      yield { type: 'tool-input-end', id: toolCallId }
      yield part
    }
  }
  yield { type: 'finish', finishReason, usage }
}

function requestOf({ prompt, tools = [] }: LanguageModelV3CallOptions): ChatRequest {
  const messages = prompt.flatMap((message): ChatMessage[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.content }]
      case 'user':
        return [{ role: 'user', content: textsOf(message.content) }]
      case 'assistant':
        return [
          {
            role: 'assistant',
            content: textsOf(message.content),
            tool_calls: message.content.flatMap((part) =>
              part.type === 'tool-call'
                ? [
                    {
                      id: part.toolCallId,
                      function: {
                        name: part.toolName,
                        arguments: typeof part.input === 'string' ? part.input : JSON.stringify(part.input),
                      },
                    },
                  ]
                : [],
            ),
          },
        ]
      case 'tool':
        return message.content.flatMap((part) =>
          part.type === 'tool-result'
            ? [{ role: 'tool', tool_call_id: part.toolCallId, content: outputText(part.output) }]
            : [],
        )
    }
  })
  return {
    messages,
    tools: tools.flatMap((tool) =>
      tool.type === 'function'
        ? [{ function: { name: tool.name, parameters: { properties: propertiesOf(tool.inputSchema) } } }]
        : [],
    ),
  }
}

function textsOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
}

function outputText(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('')
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason ?? 'denied'
  }
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(Object(schema)['properties'] ?? {})))
}
