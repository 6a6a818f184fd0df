import { z } from 'zod'
import type { RuntimeInfo, RuntimeSignal } from '../runtime.ts'
import type { Conversation } from './conversation.ts'
import type { Unread } from './unread.ts'
import { type ConfigOption, type Models, type Modes, Notification, Update } from './schemas.ts'
import { shownOptions } from './options.ts'

/** The state that an agent tells of itself beside the conversation. */
export interface AgentState {
  options: readonly ConfigOption[]
  modes: Modes | null
  models: Models | null
  /** Kinds of calls by their ids, for the permissions that are asked for them. */
  readonly kinds: Map<string, string>
  readonly unread: Unread
}

const maxKinds = 1_000

/** Turns the updates of an agent into what the platform tells of it. */
export function createUpdates(parts: {
  readonly conversation: Conversation
  readonly state: AgentState
  readonly emit: (signal: RuntimeSignal) => void
  readonly note: (info: Omit<RuntimeInfo, 'epoch' | 'state'>) => void
  readonly epoch: number
  readonly now: () => number
}): (params: unknown) => void {
  const { conversation, state, emit, note, epoch } = parts
  let eventCount = 0

  function event(type: 'todo' | 'usage' | 'runtime', payload: object): void {
    eventCount += 1
    const at = new Date(parts.now()).toISOString()
    emit({
      kind: 'event',
      event: { event_id: `${type}:${epoch}:${eventCount}`, type, at, payload: { ...payload } },
    })
  }

  function changed(): void {
    const config_options = [...shownOptions(state)]
    note({ config_options })
    event('runtime', { config_options })
  }

  function on(params: unknown): void {
    const notification = Notification.safeParse(params)
    const read = notification.success ? Update.safeParse(notification.data.update) : null
    if (read?.success !== true) {
      state.unread.unknown_updates += 1
      return
    }
    const update = read.data
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return conversation.text(update.content.text ?? placeOf(update.content), update.messageId ?? null)
      case 'agent_thought_chunk':
        return conversation.thought(update.content.text ?? '', update.messageId ?? null)
      // The prompt is ours.
      case 'user_message_chunk':
        return
      case 'tool_call':
      case 'tool_call_update':
        if (update.kind != null) remember(update.toolCallId, update.kind)
        return conversation.tool(update)
      case 'plan':
        return event('todo', { todos: update.entries })
      // Tokens and money come from the gateway's rows, never from the agent.
      case 'usage_update':
        return event('usage', { context_used: update.used, context_size: update.size })
      case 'available_commands_update': {
        const commands = [...update.availableCommands]
        note({ commands })
        return event('runtime', { commands })
      }
      case 'config_option_update':
        state.options = update.configOptions
        return changed()
      case 'current_mode_update':
        if (state.modes !== null) state.modes = { ...state.modes, currentModeId: update.currentModeId }
        return changed()
      case 'session_info_update':
        return update.title == null ? undefined : event('runtime', { title: update.title })
      case 'notice':
      case 'compaction_update':
        return event('runtime', { state: 'notice', message: update.message ?? update.sessionUpdate })
    }
  }

  function remember(call_id: string, kind: string): void {
    state.kinds.set(call_id, kind)
    const [oldest] = state.kinds.keys()
    if (state.kinds.size > maxKinds && oldest !== undefined) state.kinds.delete(oldest)
  }

  return on
}

const OfCommands = z.object({ update: z.object({ sessionUpdate: z.literal('available_commands_update') }) })

/**
 * True for an update that stands for the session, and is no part of what is said in it. It looks at the kind alone: a replay
 * may be of tens of thousands.
 */
export const isOfCommands = (params: unknown): boolean => OfCommands.safeParse(params).success

/** A piece of an answer that is no text: a picture, or a link to something. */
function placeOf({
  type,
  uri,
  name,
}: {
  type: string
  uri?: string | null | undefined
  name?: string | null | undefined
}): string {
  return uri == null ? `[${type}]` : `[${name ?? type}](${uri})`
}
