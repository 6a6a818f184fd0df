import { resolve } from 'node:path'
import type { AgentSessionEvent } from '@earendil-works/pi-coding-agent'
import { z } from 'zod'
import type { SentPart } from '../../opencode-wire/schemas.ts'
import type { Bus } from './bus.ts'
import {
  type AssistantMessage,
  endedState,
  messageId,
  messageInfo,
  textParts,
  type ToolCall,
  toolPart,
  usagePart,
} from './wire.ts'

export interface Emitter {
  onEvent(event: AgentSessionEvent): void
  /** The turn is over: what was held back in case of another attempt is said now. */
  settle(): void
}

const WithPath = z.object({ path: z.string() })
const WithText = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() }).loose()).default([]),
})
const changing = new Set(['write', 'edit'])

/** Tells on the runtime's stream what pi reports of one conversation. */
export function createEmitter(parts: {
  readonly session_id: string
  readonly workspace: string
  readonly bus: Bus
}): Emitter {
  const { session_id, workspace, bus } = parts
  const inSession = { sessionID: session_id }
  const calls = new Map<string, { readonly message_id: string; readonly call: ToolCall }>()
  let failed: AssistantMessage | null = null
  let answer: AssistantMessage | null = null

  const emitPart = (part: SentPart): void => bus.publish('message.part.updated', { part })

  function emitMessage(message: AssistantMessage): void {
    bus.publish('message.updated', { info: messageInfo(session_id, message) })
  }

  function finishAnswer(message: AssistantMessage): void {
    if (message.stopReason === 'error') {
      failed = message
      return
    }
    for (const part of textParts(session_id, message)) emitPart(part)
    const message_id = messageId(message)
    for (const call of message.content) {
      if (call.type !== 'toolCall') continue
      calls.set(call.id, { message_id, call })
      emitPart(toolPart(session_id, message_id, call, { status: 'pending' }))
    }
    emitPart(usagePart(session_id, message))
    answer = message
  }

  function emitTool(call_id: string, state: Parameters<typeof toolPart>[3]): void {
    const known = calls.get(call_id)
    if (known) emitPart(toolPart(session_id, known.message_id, known.call, state))
  }

  function onEvent(event: AgentSessionEvent): void {
    switch (event.type) {
      case 'message_start': {
        const { message } = event
        if (message.role !== 'assistant') return
        bus.publish('message.updated', { info: messageInfo(session_id, message, false) })
        return
      }
      case 'message_update': {
        const { assistantMessageEvent: update, message } = event
        if (update.type !== 'text_delta' || message.role !== 'assistant') return
        const messageID = messageId(message)
        const partID = `prt_${messageID}_text`
        bus.publish('message.part.delta', {
          ...inSession,
          messageID,
          partID,
          field: 'text',
          delta: update.delta,
        })
        return
      }
      case 'message_end': {
        const { message } = event
        if (message.role === 'assistant') finishAnswer(message)
        if (message.role !== 'user') return
        for (const part of textParts(session_id, message)) emitPart(part)
        bus.publish('message.updated', { info: messageInfo(session_id, message) })
        return
      }
      case 'tool_execution_start':
        emitTool(event.toolCallId, { status: 'running', time: { start: Date.now() } })
        return
      case 'tool_execution_end': {
        const call = calls.get(event.toolCallId)?.call
        const path = WithPath.safeParse(call?.arguments)
        if (!event.isError && path.success && changing.has(event.toolName)) {
          bus.publish('file.edited', { file: resolve(workspace, path.data.path) })
        }
        const said = WithText.safeParse(event.result)
        const text = said.success ? said.data.content.map((part) => part.text ?? '').join('\n') : ''
        emitTool(event.toolCallId, endedState({ text, isError: event.isError }, Date.now()))
        calls.delete(event.toolCallId)
        return
      }
      case 'turn_end':
        if (answer) emitMessage(answer)
        answer = null
        return
      case 'auto_retry_start': {
        failed = null
        const { attempt, errorMessage: message } = event
        const status = { type: 'retry' as const, attempt, message, next: Date.now() + event.delayMs }
        bus.publish('session.status', { ...inSession, status })
        return
      }
      case 'agent_start':
        bus.publish('session.status', { ...inSession, status: { type: 'busy' } })
        return
      case 'agent_end':
      case 'auto_retry_end':
      case 'compaction_start':
      case 'compaction_end':
      case 'queue_update':
      case 'session_info_changed':
      case 'thinking_level_changed':
      case 'tool_execution_update':
      case 'turn_start':
        return
    }
  }

  return {
    onEvent,
    settle: () => {
      if (answer) emitMessage(answer)
      if (failed) {
        const { error } = messageInfo(session_id, failed)
        for (const part of textParts(session_id, failed)) emitPart(part)
        emitMessage(failed)
        bus.publish('session.error', { ...inSession, ...(error ? { error } : {}) })
      }
      answer = null
      failed = null
      calls.clear()
    },
  }
}
