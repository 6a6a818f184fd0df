import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'
import { isObject, jsonIn, textOf } from '../dialects/kit/json.ts'
import type { HubTarget } from './hub.ts'
import { cannotTranslate } from './refuse.ts'

type AssistantParts = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']
type ToolParts = Extract<LanguageModelV3Message, { role: 'tool' }>['content']
export type AssistantPart = AssistantParts[number]
export type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]

/** Collects a prompt in order: what one side says in a row is one message. */
export function promptBuilder() {
  const prompt: LanguageModelV3Prompt = []
  const names = new Map<string, string>()
  return {
    system(content: string, providerOptions?: LanguageModelV3Message['providerOptions']) {
      if (content !== '')
        prompt.push({ role: 'system', content, ...(providerOptions && { providerOptions }) })
    },
    user(parts: readonly UserPart[]) {
      if (parts.length > 0) prompt.push({ role: 'user', content: [...parts] })
    },
    assistant(parts: readonly AssistantPart[]) {
      for (const part of parts) if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName)
      const last = prompt.at(-1)
      if (parts.length === 0) return
      if (last?.role === 'assistant') last.content.push(...parts)
      else prompt.push({ role: 'assistant', content: [...parts] })
    },
    /** The result of a call, whose name the call before it said. */
    result(
      toolCallId: string,
      output: LanguageModelV3ToolResultOutput,
      providerOptions?: LanguageModelV3Message['providerOptions'],
    ) {
      const part: ToolParts[number] = {
        type: 'tool-result',
        toolCallId,
        toolName: names.get(toolCallId) ?? 'unknown',
        output,
        ...(providerOptions && { providerOptions }),
      }
      const last = prompt.at(-1)
      if (last?.role === 'tool') last.content.push(part)
      else prompt.push({ role: 'tool', content: [part] })
    },
    /** Anthropic has one place for system text, before all others. */
    done(target: HubTarget): LanguageModelV3Prompt {
      if (target !== 'anthropic') return prompt
      const isSystem = (message: LanguageModelV3Message) => message.role === 'system'
      return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))]
    },
  }
}

/** A picture or document at an address, or in a `data:` one. */
export function filePart(
  url: unknown,
  field: string,
  filename?: unknown,
  mediaType = 'image/*',
): LanguageModelV3FilePart {
  const text = textOf(url)
  if (text === null) throw cannotTranslate(field)
  const name = typeof filename === 'string' ? { filename } : {}
  const [, type, data] = /^data:([^;,]+)[^,]*;base64,(.*)$/s.exec(text) ?? []
  if (type !== undefined && data !== undefined) return { type: 'file', mediaType: type, data, ...name }
  if (!URL.canParse(text)) throw cannotTranslate(field)
  return { type: 'file', mediaType, data: new URL(text), ...name }
}

/** The arguments of a call; those that a model wrote wrongly stay to be read, under one name. */
export function inputOf(written: unknown): unknown {
  const value = typeof written === 'string' ? (written.trim() === '' ? {} : jsonIn(written)) : written
  return isObject(value) ? value : { arguments: written }
}

/** Parts of the result of a tool, where it is more than text. */
export function resultParts(parts: readonly UserPart[], field: string): LanguageModelV3ToolResultOutput {
  return {
    type: 'content',
    value: parts.map((part, at) => {
      if (part.type === 'text') return { type: 'text', text: part.text }
      const { data, mediaType } = part
      const isImage = mediaType.startsWith('image/')
      if (data instanceof URL) return { type: isImage ? 'image-url' : 'file-url', url: data.href }
      if (typeof data !== 'string') throw cannotTranslate(`${field}.${at}`)
      return { type: isImage ? 'image-data' : 'file-data', data, mediaType }
    }),
  }
}
