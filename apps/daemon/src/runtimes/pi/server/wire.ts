import type { AgentSession } from '@earendil-works/pi-coding-agent'
import type { SentMessage, SentText, SentTool, SentUsage } from '../../opencode-wire/schemas.ts'

export type PiMessage = AgentSession['messages'][number]
export type AssistantMessage = Extract<PiMessage, { role: 'assistant' }>
export type UserMessage = Extract<PiMessage, { role: 'user' }>
export type ToolResult = Extract<PiMessage, { role: 'toolResult' }>
export type ToolCall = Extract<AssistantMessage['content'][number], { type: 'toolCall' }>

/** Ascends with time, the answer after the question of the same millisecond, and is the same after a restart. */
export function messageId(message: UserMessage | AssistantMessage): string {
  const rank = message.role === 'user' ? 'a' : 'b'
  return `msg_${String(message.timestamp).padStart(15, '0')}${rank}`
}

export function userText({ content }: UserMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

export function answerText({ content }: AssistantMessage): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

export function resultText(content: ToolResult['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n')
}

/** The message as the runtime's stream and its record of messages show it. */
export function messageInfo(
  session_id: string,
  message: UserMessage | AssistantMessage,
  completed = true,
): SentMessage {
  const failure = message.role === 'assistant' ? failureOf(message) : null
  return {
    id: messageId(message),
    sessionID: session_id,
    role: message.role,
    time: { created: message.timestamp, ...(completed ? { completed: message.timestamp } : {}) },
    ...(failure === null ? {} : { error: failure }),
  }
}

function failureOf({ stopReason, errorMessage }: AssistantMessage) {
  if (stopReason === 'aborted') return { name: 'MessageAbortedError', data: { message: 'Aborted' } }
  if (stopReason !== 'error') return null
  return { name: 'APIError', data: { message: errorMessage ?? 'The model gave no answer' } }
}

export function textParts(session_id: string, message: UserMessage | AssistantMessage): readonly SentText[] {
  const id = messageId(message)
  const said =
    message.role === 'user'
      ? [userText(message)]
      : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return said.map((text, n) => ({
    id: `prt_${id}_text${n}`,
    sessionID: session_id,
    messageID: id,
    type: 'text' as const,
    text,
  }))
}

export function usagePart(session_id: string, message: AssistantMessage): SentUsage {
  const id = messageId(message)
  const { input, output, cacheRead, cacheWrite, cost } = message.usage
  return {
    id: `prt_${id}_usage`,
    sessionID: session_id,
    messageID: id,
    type: 'step-finish' as const,
    cost: cost.total,
    tokens: { input, output, reasoning: 0, cache: { read: cacheRead, write: cacheWrite } },
  }
}

export type ToolState = Omit<SentTool['state'], 'input'>

export function toolPart(
  session_id: string,
  message_id: string,
  call: { readonly id: string; readonly name: string; readonly arguments: unknown },
  state: ToolState,
): SentTool {
  return {
    id: `prt_${message_id}_${call.id}`,
    sessionID: session_id,
    messageID: message_id,
    type: 'tool' as const,
    callID: call.id,
    tool: call.name,
    state: { ...state, input: call.arguments },
  }
}

export function endedState(
  result: { readonly text: string; readonly isError: boolean },
  end: number,
): ToolState {
  const outcome = result.isError
    ? { status: 'error' as const, error: result.text }
    : { status: 'completed' as const, output: result.text }
  return { ...outcome, time: { end } }
}
