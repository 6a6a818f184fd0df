import type { SessionEventType } from '@svc/contract'
import { daemonLimits } from '../../limits.ts'
import { type BoundedText, createBoundedText } from '../../shared/bounded-text.ts'
import { cleanText } from '../../shared/clean.ts'
import type { RuntimeMessage, RuntimeSignal } from '../runtime.ts'
import type { ConversationRecord } from './record.ts'
import type { ToolUpdate } from './schemas.ts'
import { changed, filesOf, isOver, newCall, payloadOf, shown, type ToolCall } from './tool-call.ts'

/** The end of a turn, as it is written down. */
export interface TurnEnd {
  readonly stop_reason: string | null
  readonly aborted: boolean
  readonly error: string | null
}

/** The conversation as it goes: reported as events while it does, and kept message by message. */
export interface Conversation {
  said(prompt: string): void
  text(piece: string, message_id: string | null): void
  thought(piece: string, message_id: string | null): void
  tool(update: ToolUpdate): void
  /** Closes what is open and writes the end of the turn down. */
  end(end: TurnEnd): void
  /** Pieces that came after the end of their turn are kept with a message of their own. */
  settleLate(): void
  /** Time from the prompt to the agent's first word or tool of this turn, or of the last one; null where it gave none. */
  readonly first_ms: number | null
}

interface OpenMessage {
  readonly message_id: string
  readonly at: string
  /** The agent's own id for it; null where it gives none. */
  readonly theirs: string | null
  readonly words: BoundedText
  readonly calls: Map<string, ToolCall>
}

const cutOff = 'The command was cut off with its turn'

export function createConversation(parts: {
  readonly record: ConversationRecord
  readonly workspace: string
  readonly now: () => number
  readonly emit: (signal: RuntimeSignal) => void
}): Conversation {
  const { record, workspace, emit } = parts
  const owners = new Map<string, OpenMessage>()
  let open: OpenMessage | null = null
  let thinking: OpenMessage | null = null
  let isInTurn = false
  let prompted_at = 0
  let first_ms: number | null = null

  const nowText = (): string => new Date(parts.now()).toISOString()

  function event(event_id: string, type: SessionEventType, payload: object): void {
    emit({ kind: 'event', event: { event_id, type, at: nowText(), payload: { ...payload } } })
  }

  function begun(): void {
    if (isInTurn) first_ms ??= parts.now() - prompted_at
  }

  function begin(theirs: string | null): OpenMessage {
    return {
      message_id: record.nextId(),
      at: nowText(),
      theirs,
      words: createBoundedText(daemonLimits.messageChars),
      calls: new Map(),
    }
  }

  function closeThought(): void {
    if (thinking === null) return
    const { message_id, words } = thinking
    thinking = null
    const text = words.read()
    const payload = { message_id, role: 'assistant', text, error: null, thought: true }
    event(`message:${message_id}`, 'message', payload)
  }

  function close(end: TurnEnd | null): void {
    closeThought()
    const isLast = end !== null && (end.stop_reason !== null || end.error !== null || end.aborted)
    if (open === null && !isLast) return
    const { message_id, at, words, calls } = open ?? begin(null)
    open = null
    for (const call of calls.values()) owners.delete(call.call_id)
    const text = words.read()
    const error = end?.error ?? null
    const message: RuntimeMessage = {
      ...{ message_id, role: 'assistant', at, text },
      tools: [...calls.values()].map(shown),
      error: end?.aborted === true ? null : error,
    }
    record.add({ message, aborted: end?.aborted ?? false, stop_reason: end?.stop_reason ?? null })
    const isSilent = text === '' && message.tools.length === 0 && message.error === null
    if (isSilent) return
    const late = isInTurn ? {} : { late: true }
    event(`message:${message_id}`, 'message', {
      message_id,
      role: 'assistant',
      text,
      error: message.error,
      ...late,
    })
  }

  /** A message ends where the agent begins another, or speaks again after its tools. */
  function openFor(theirs: string | null): OpenMessage {
    const isOther = theirs !== null && open?.theirs != null && theirs !== open.theirs
    const calls = [...(open?.calls.values() ?? [])]
    // A call that still runs belongs to the message that began it.
    if ((isOther || calls.length > 0) && calls.every(isOver)) close(null)
    closeThought()
    open ??= begin(theirs)
    return open
  }

  function put(message: OpenMessage, before: ToolCall | undefined, call: ToolCall): void {
    message.calls.set(call.call_id, call)
    owners.set(call.call_id, message)
    if (before?.status === call.status) {
      const isNews = call.status === 'running' && call.output !== '' && call.output !== before.output
      if (!isNews) return
      const output = cleanText(call.output.slice(-daemonLimits.outputTailChars), daemonLimits.outputTailChars)
      return emit({ kind: 'output', message_id: call.message_id, call_id: call.call_id, output })
    }
    const key = `${call.message_id}:${call.call_id}`
    // An agent may leave steps out; those who follow see each call begin.
    if (before === undefined && call.status !== 'pending')
      event(`tool:${key}:pending`, 'tool', payloadOf({ ...call, status: 'pending', output: '' }))
    if (isOver(call) && (before === undefined || before.status === 'pending'))
      event(
        `tool:${key}:running`,
        'tool',
        payloadOf({ ...call, status: 'running', output: '', ended_at: null }),
      )
    for (const path of filesOf(call)) event(`file:${key}:${path}`, 'file', { path })
    event(`tool:${key}:${call.status}`, 'tool', payloadOf(call))
  }

  function cutCalls(): void {
    for (const call of open?.calls.values() ?? []) {
      if (isOver(call) || open === null) continue
      const output = call.output === '' ? cutOff : `${call.output}\n${cutOff}`
      put(open, call, { ...call, status: 'error', output, ended_at: parts.now() })
    }
  }

  return {
    get first_ms() {
      return first_ms
    },
    said: (prompt) => {
      isInTurn = true
      prompted_at = parts.now()
      first_ms = null
      close(null)
      const message_id = record.nextId()
      const text = cleanText(prompt, daemonLimits.messageChars)
      const message = { message_id, role: 'user' as const, at: nowText(), text, tools: [], error: null }
      record.add({ message, aborted: false, stop_reason: null })
      event(`message:${message_id}`, 'message', { message_id, role: 'user', text, error: null })
    },

    text: (piece, message_id) => {
      if (piece === '') return
      begun()
      const message = openFor(message_id)
      // Who follows it live sees as much of it as is kept.
      const delta = message.words.add(piece)
      if (delta !== '') emit({ kind: 'delta', message_id: message.message_id, delta })
    },

    thought: (piece, message_id) => {
      if (piece === '') return
      begun()
      if (message_id !== null && thinking?.theirs != null && thinking.theirs !== message_id) closeThought()
      thinking ??= begin(message_id)
      const delta = thinking.words.add(piece)
      if (delta !== '') emit({ kind: 'delta', message_id: thinking.message_id, delta, thought: true })
    },

    tool: (update) => {
      begun()
      closeThought()
      const known = owners.get(update.toolCallId)
      const message = known ?? (open ??= begin(null))
      const before = known?.calls.get(update.toolCallId)
      const call = before ?? newCall(update.toolCallId, message.message_id, parts.now())
      const next = changed(call, update, workspace, parts.now())
      put(message, before, next)
    },

    end: (end) => {
      cutCalls()
      close(end)
      isInTurn = false
      owners.clear()
    },

    settleLate: () => {
      if (!isInTurn) close(null)
    },
  }
}
