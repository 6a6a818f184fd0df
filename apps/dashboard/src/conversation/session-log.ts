import type { SessionEvent } from '@svc/sdk'
import { limitOf, type TurnLimit } from './turn-limit.ts'
import { list, maybe, maybeNumber, number, text } from './payload.ts'
import { afterSubAgent, changeCall } from './sub-agents.ts'
import { type ToolCall, toolsAfter } from './tool-calls.ts'

export interface Turn {
  readonly kind: 'prompt' | 'agent' | 'notice'
  readonly id: string
  readonly at: string
  readonly text: string
  /** Words still come. */
  readonly streaming: boolean
  readonly tools: readonly ToolCall[]
  readonly error: string | null
  /** The sender of a prompt: a person, a trigger, a review. */
  readonly source: string | null
  /** The agent thought aloud: no part of its answer. */
  readonly thought: boolean
}

export interface Todo {
  readonly content: string
  readonly status: string
}

export interface Stage {
  readonly status: string
  readonly at: string
}

/** A session as its event log tells it. A new one is made by each event; the turns that did not change stay the same objects. */
export interface SessionLog {
  readonly last_seq: number
  readonly turns: readonly Turn[]
  /** Prompts that were sent and whose turn has not begun. */
  readonly unbegun: readonly Turn[]
  readonly busy_since: string | null
  /** The limit at which the agent stopped in the last turn; null where it came to its end. */
  readonly cut_at: TurnLimit | null
  readonly todos: readonly Todo[]
  readonly stages: readonly Stage[]
  readonly tokens: number
  readonly cost_usd: number
  /** Tokens of the agent's context, where it gives them. */
  readonly context: { readonly used: number; readonly size: number } | null
  readonly checkpoints: readonly {
    readonly number: number
    readonly at: string
    readonly reason: string | null
  }[]
  readonly files: readonly string[]
}

export const emptyLog: SessionLog = {
  last_seq: 0,
  turns: [],
  unbegun: [],
  busy_since: null,
  cut_at: null,
  todos: [],
  stages: [],
  tokens: 0,
  cost_usd: 0,
  context: null,
  checkpoints: [],
  files: [],
}

/** The log after one more event. */
export function logAfter(log: SessionLog, event: SessionEvent): SessionLog {
  const next = after(log, event)
  return event.type === 'message.delta' || event.seq <= log.last_seq ? next : { ...next, last_seq: event.seq }
}

function after(log: SessionLog, event: SessionEvent): SessionLog {
  const { at } = event
  const id = text(event['message_id'])
  switch (event.type as string) {
    case 'prompt':
      return afterPrompt(log, event)
    case 'message.delta':
      return withTurn(log, id, at, (turn) => ({
        ...turn,
        text: turn.text + text(event['delta']),
        thought: event['thought'] === true,
        streaming: true,
      }))
    case 'message':
      if (event['role'] === 'user') return log
      return withTurn(log, id, at, (turn) => ({
        ...turn,
        text: text(event['text']),
        error: maybe(event['error']),
        thought: event['thought'] === true,
        streaming: false,
      }))
    case 'tool': {
      const turns = event['subagent'] === undefined ? null : afterSubAgent(log.turns, event)
      if (turns !== null) return { ...log, turns }
      return withTurn(log, id, at, (turn) => ({ ...turn, tools: toolsAfter(turn.tools, event) }))
    }
    case 'tool.delta':
      return afterOutput(log, event)
    case 'turn':
      return afterTurn(log, event)
    case 'todo':
      return {
        ...log,
        todos: list(event['todos']).map((todo) => ({
          content: text(todo['content']),
          status: text(todo['status']),
        })),
      }
    case 'status':
      return { ...log, stages: [...log.stages, { status: text(event['status']), at }] }
    case 'usage':
      return {
        ...log,
        tokens: log.tokens + number(event['input_tokens']) + number(event['output_tokens']),
        cost_usd: log.cost_usd + number(event['cost_usd']),
        context: contextAfter(log.context, event),
      }
    case 'checkpoint':
      if (event['state'] !== 'saved') return log
      return {
        ...log,
        checkpoints: [
          ...log.checkpoints,
          { number: number(event['number']), at, reason: maybe(event['reason']) },
        ],
      }
    case 'file': {
      const path = text(event['path'])
      return log.files.includes(path) ? log : { ...log, files: [...log.files, path] }
    }
    case 'error':
      return {
        ...log,
        turns: [...log.turns, { ...blank(`error-${event.seq}`, at), error: text(event['message']) }],
      }
    case 'notice':
      return {
        ...log,
        turns: [
          ...log.turns,
          { ...blank(`notice-${event.seq}`, at), kind: 'notice', text: text(event['text']) },
        ],
      }
    default:
      return log
  }
}

/** Words that came while the stream was cut are missing where they stand: the stored message brings them. */
export function logAfterCut(log: SessionLog): SessionLog {
  const turns = log.turns.map((turn) => (turn.streaming ? { ...turn, text: `${turn.text} … ` } : turn))
  return { ...log, turns }
}

function afterPrompt(log: SessionLog, event: SessionEvent): SessionLog {
  const id = text(event['prompt_id'])
  if (event['state'] === 'cancelled') return { ...log, unbegun: log.unbegun.filter((turn) => turn.id !== id) }
  const turn: Turn = {
    ...blank(id, event.at),
    kind: 'prompt',
    text: text(event['text']),
    source: maybe(event['source']),
    thought: false,
  }
  return { ...log, unbegun: [...log.unbegun, turn] }
}

/** A prompt joins the conversation when its turn begins. */
function afterTurn(log: SessionLog, event: SessionEvent): SessionLog {
  if (event['state'] === 'begin') {
    const begun = log.unbegun.find(({ id }) => id === event['prompt_id'])
    return {
      ...log,
      busy_since: event.at,
      cut_at: null,
      turns: begun === undefined ? log.turns : [...log.turns, begun],
      unbegun: log.unbegun.filter((turn) => turn !== begun),
    }
  }
  const failed = maybe(event['error'])
  const turns = log.turns.flatMap(withoutUnstored)
  // A prompt that failed before its turn began is told all the same.
  const lost = log.unbegun.find(({ id }) => id === event['prompt_id'])
  return {
    ...log,
    busy_since: null,
    cut_at: limitOf(event['stop_reason']),
    unbegun: log.unbegun.filter((turn) => turn !== lost),
    turns: [
      ...turns,
      ...(lost === undefined ? [] : [lost]),
      ...(failed === null ? [] : [{ ...blank(`end-${event.seq}`, event.at), error: failed }]),
    ],
  }
}

/** Words of a message that was given up, as one whose model was lost: the agent said others in their place. */
function withoutUnstored(turn: Turn): readonly Turn[] {
  if (!turn.streaming) return [turn]
  return turn.tools.length === 0 ? [] : [{ ...turn, text: '', streaming: false }]
}

/** The tail of a call that runs, of a sub-agent's as well: its message is not in the conversation. */
function afterOutput(log: SessionLog, event: SessionEvent): SessionLog {
  const call_id = text(event['call_id'])
  const has = ({ tools }: Turn) =>
    tools.some((call) => call.call_id === call_id || call.inner.some((one) => one.call_id === call_id))
  const index = log.turns.findLastIndex(has)
  const turn = log.turns[index]
  if (turn === undefined) return log
  const output = text(event['output'])
  const tools = changeCall(turn.tools, call_id, (call) => ({ ...call, output }))
  return { ...log, turns: log.turns.with(index, { ...turn, tools }) }
}

function contextAfter(context: SessionLog['context'], event: SessionEvent): SessionLog['context'] {
  const used = maybeNumber(event['context_used']) ?? context?.used
  const size = maybeNumber(event['context_size']) ?? context?.size
  return used === undefined || size === undefined || size <= 0 ? context : { used, size }
}

function withTurn(log: SessionLog, id: string, at: string, change: (turn: Turn) => Turn): SessionLog {
  // What is told of now is at the end.
  const index = log.turns.findLastIndex((turn) => turn.id === id)
  const known = log.turns[index]
  if (known === undefined) return { ...log, turns: [...log.turns, change(blank(id, at))] }
  return { ...log, turns: log.turns.with(index, change(known)) }
}

function blank(id: string, at: string): Turn {
  return {
    kind: 'agent',
    id,
    at,
    text: '',
    streaming: false,
    tools: [],
    error: null,
    source: null,
    thought: false,
  }
}
