import type { SessionManager } from '@earendil-works/pi-coding-agent'
import type { SentRecord } from '../../opencode-wire/schemas.ts'
import {
  type AssistantMessage,
  endedState,
  messageInfo,
  resultText,
  textParts,
  type ToolResult,
  toolPart,
  usagePart,
  type UserMessage,
} from './wire.ts'

/** The conversation as pi's own file holds it. An attempt at the model that was repeated is no message of its own. */
export function recordsOf(manager: SessionManager, isBusy: boolean): readonly SentRecord[] {
  const session_id = manager.getSessionId()
  const spoken: (UserMessage | AssistantMessage)[] = []
  const results = new Map<string, ToolResult>()
  for (const entry of manager.getBranch()) {
    if (entry.type !== 'message') continue
    const { message } = entry
    if (message.role === 'toolResult') results.set(message.toolCallId, message)
    if (message.role !== 'user' && message.role !== 'assistant') continue
    if (message.role === 'assistant' && isFailed(spoken.at(-1))) spoken.pop()
    spoken.push(message)
  }
  return spoken.map((message, n) => {
    const info = messageInfo(session_id, message)
    const said = textParts(session_id, message)
    if (message.role === 'user') return { info, parts: said }
    const live = isBusy && n === spoken.length - 1
    const tools = message.content.flatMap((part) => {
      if (part.type !== 'toolCall') return []
      const result = results.get(part.id)
      const state = result
        ? endedState({ text: resultText(result.content), isError: result.isError }, result.timestamp)
        : live
          ? { status: 'running' as const }
          : { status: 'error' as const, error: 'The command was interrupted' }
      return [toolPart(session_id, info.id, part, state)]
    })
    return { info, parts: [...said, ...tools, usagePart(session_id, message)] }
  })
}

function isFailed(message: UserMessage | AssistantMessage | undefined): boolean {
  return message?.role === 'assistant' && message.stopReason === 'error'
}
