import type { ChatMessage } from '../chat-request.ts'

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** The answer of the tool; null while there is none. */
  readonly result: string | null
}

/** The request of a person, and the work done on it so far. */
export interface Turn {
  readonly request: string
  readonly calls: readonly ToolCall[]
}

/** Blocks that agents put beside what a person asked. */
const agentBlock =
  /<(session_context|system-reminder|environment_context|user_instructions)>[\s\S]*?<\/\1>\s*|# AGENTS\.md instructions[\s\S]*?<\/INSTRUCTIONS>\s*/g

/** The words of the person; null where an agent alone speaks. */
function requestOf(message: ChatMessage): string | null {
  const said = textOf(message)
  const request = said.replaceAll(agentBlock, '')
  return request.trim() === '' && said.trim() !== '' ? null : request
}

/** The turns of a conversation, oldest first. */
export function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const results = new Map(
    messages.flatMap((message) => (message.tool_call_id ? [[message.tool_call_id, textOf(message)]] : [])),
  )
  const turns: { request: string; calls: ToolCall[] }[] = []
  for (const message of messages) {
    const request = message.role === 'user' ? requestOf(message) : null
    if (request !== null) turns.push({ request, calls: [] })
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      tool: name,
      input: inputOf(input),
      result: results.get(id) ?? null,
    }))
    turns.at(-1)?.calls.push(...calls)
  }
  return turns
}

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

function inputOf(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text)
    return typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}
  } catch {
    return {}
  }
}
