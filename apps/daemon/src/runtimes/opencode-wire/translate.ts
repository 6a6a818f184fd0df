import type { SessionEventType } from '@svc/contract'
import { insideOf } from '../../shared/inside-of.ts'
import { shortHash } from '../../shared/short-hash.ts'
import type { RuntimeEvent, RuntimeSignal } from '../runtime.ts'
import { abortedName, endOf, errorText, outputTailOf, textOf, toolOf } from './messages.ts'
import type { MessageInfo, Part, RawEvent, StoredMessage } from './schemas.ts'
import { rememberIn } from '../../shared/remember.ts'

export interface Translator {
  translate(raw: RawEvent): RuntimeSignal[]
  /** Signals for the content of stored messages that was never seen as an event. */
  replay(stored: readonly StoredMessage[]): RuntimeSignal[]
}

const rememberedIds = 20_000
const rememberedMessages = 200

/**
 * Turns the runtime's stream into ours. The root session's conversation is told whole; of a subagent only its tools,
 * questions and usage, since its words are part of its parent's tool call.
 */
export function createTranslator(parts: {
  readonly root: () => string | null
  readonly workspace: string
  readonly now: () => number
}): Translator {
  const seen = new Set<string>()
  const infos = new Map<string, MessageInfo>()
  const texts = new Map<string, Map<string, Part>>()
  const quiet = new Set<string>()
  const asked = new Map<string, 'permission' | 'question'>()

  function once(
    event_id: string,
    type: SessionEventType,
    payload: object,
    at = parts.now(),
  ): RuntimeSignal[] {
    if (seen.has(event_id)) return []
    remember(seen, event_id, rememberedIds)
    const event: RuntimeEvent = { event_id, type, at: new Date(at).toISOString(), payload: { ...payload } }
    return [{ kind: 'event', event }]
  }

  const subagent = (session_id: string): object =>
    session_id === parts.root() ? {} : { subagent: session_id }

  function message(info: MessageInfo): RuntimeSignal[] {
    if (info.sessionID !== parts.root()) return []
    const done = info.role === 'user' || info.time.completed !== undefined || info.error !== undefined
    const said = texts.get(info.id)
    if (!done || (info.role === 'user' && !said)) return []
    const error = errorText(info.error)
    const payload = { message_id: info.id, role: info.role, text: textOf([...(said?.values() ?? [])]), error }
    const version = shortHash(`${payload.text}\0${error ?? ''}`)
    const at = info.time.completed ?? info.time.created
    return once(`message:${info.id}:${version}`, 'message', payload, at)
  }

  function part(part: Part): RuntimeSignal[] {
    const { messageID: message_id, sessionID } = part
    switch (part.type) {
      case 'text': {
        const known = texts.get(message_id) ?? new Map<string, Part>()
        known.set(part.id, part)
        rememberIn(texts, message_id, known, rememberedMessages)
        const info = infos.get(message_id)
        return info?.role === 'user' ? message(info) : []
      }
      case 'tool': {
        const payload = {
          message_id,
          call_id: part.callID,
          ...toolOf(part),
          ...endOf(part),
          ...subagent(sessionID),
        }
        const at = part.state.time?.end ?? part.state.time?.start
        const output = outputTailOf(part)
        return [
          ...once(`tool:${part.id}:${part.state.status}`, 'tool', payload, at),
          ...(output === null ? [] : [{ kind: 'output', message_id, call_id: part.callID, output } as const]),
        ]
      }
      case 'step-finish': {
        const { input, output, reasoning, cache } = part.tokens
        const payload = {
          input_tokens: input + cache.read + cache.write,
          output_tokens: output + reasoning,
          cost_usd: part.cost,
        }
        return once(`usage:${part.id}`, 'usage', payload)
      }
      case 'other':
        remember(quiet, part.id, rememberedIds)
        return []
    }
  }

  function answered(request_id: string, state: string, extra: object): RuntimeSignal[] {
    const type = asked.get(request_id)
    if (!type) return []
    asked.delete(request_id)
    return [
      { kind: 'answered', request_id },
      ...once(`${type}:${request_id}:${state}`, type, { request_id, state, ...extra }),
    ]
  }

  function translate(raw: RawEvent): RuntimeSignal[] {
    switch (raw.type) {
      case 'server.connected':
        return [{ kind: 'connected' }]
      case 'session.status': {
        const { sessionID: session_id, status } = raw.properties
        const state = status.type === 'retry' ? 'retrying' : status.type
        return [{ kind: 'session', session_id, state }]
      }
      case 'session.idle':
        return [{ kind: 'session', session_id: raw.properties.sessionID, state: 'idle' }]
      case 'session.deleted':
        return [{ kind: 'session', session_id: raw.properties.info.id, state: 'idle' }]
      case 'session.error': {
        const { sessionID: session_id = null, error } = raw.properties
        const text =
          error?.name === abortedName ? null : (errorText(error) ?? 'The agent runtime reports an error')
        const isNoEvent = text === null || (session_id !== null && session_id !== parts.root())
        return [
          { kind: 'session_error', session_id, message: text },
          ...(isNoEvent ? [] : once(`error:${raw.id ?? `${parts.now()}`}`, 'error', { message: text })),
        ]
      }
      case 'message.updated':
        rememberIn(infos, raw.properties.info.id, raw.properties.info, rememberedMessages)
        return message(raw.properties.info)
      case 'message.part.updated':
        return part(raw.properties.part)
      case 'message.part.delta': {
        const { sessionID, messageID: message_id, partID, field, delta } = raw.properties
        const spoken = sessionID === parts.root() && field === 'text' && !quiet.has(partID)
        return spoken && infos.get(message_id)?.role !== 'user' ? [{ kind: 'delta', message_id, delta }] : []
      }
      case 'file.edited': {
        const path = insideOf(parts.workspace, raw.properties.file)
        return once(`file:${raw.id ?? `${path}:${parts.now()}`}`, 'file', { path })
      }
      case 'todo.updated': {
        const { sessionID, todos } = raw.properties
        if (sessionID !== parts.root()) return []
        return once(`todo:${raw.id ?? `${parts.now()}`}`, 'todo', { todos })
      }
      case 'permission.asked': {
        const { id: request_id, permission, patterns, sessionID } = raw.properties
        asked.set(request_id, 'permission')
        const payload = { request_id, permission, patterns, state: 'asked', ...subagent(sessionID) }
        // The platform files the ask itself under this id, so that it appears once whichever report comes first.
        const event = once(`permission:${request_id}`, 'permission', payload)
        return [...event, { kind: 'asked', ask: { kind: 'permission', request_id, permission, patterns } }]
      }
      case 'question.asked': {
        const { id: request_id, questions, sessionID } = raw.properties
        asked.set(request_id, 'question')
        const payload = { request_id, questions, state: 'asked', ...subagent(sessionID) }
        const event = once(`question:${request_id}`, 'question', payload)
        return [...event, { kind: 'asked', ask: { kind: 'question', request_id, questions } }]
      }
      case 'permission.replied': {
        const { requestID, reply } = raw.properties
        return answered(requestID, reply === 'reject' ? 'rejected' : 'replied', { reply })
      }
      case 'question.replied':
        return answered(raw.properties.requestID, 'replied', { answers: raw.properties.answers })
      case 'question.rejected':
        return answered(raw.properties.requestID, 'rejected', {})
    }
  }

  return {
    translate,
    replay: (stored) =>
      stored.flatMap(({ info, parts: held }) => {
        rememberIn(infos, info.id, info, rememberedMessages)
        return [...held.flatMap(part), ...message(info)]
      }),
  }
}

function remember(set: Set<string>, key: string, max: number): void {
  set.add(key)
  if (set.size <= max) return
  for (const oldest of set) {
    set.delete(oldest)
    return
  }
}
