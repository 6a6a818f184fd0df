import type { SessionEvent } from '@svc/sdk'
import { isObject, stringOf } from '../json-values.ts'
import { oneLine } from '../output/plain.ts'
import { type AgentRequest, readRequest } from './agent-request.ts'
import { type MessageTexts, unseenText } from './message-texts.ts'

const subjects = ['command', 'filePath', 'path', 'pattern', 'url', 'query']

/** The end of a turn. */
export interface TurnEnd {
  readonly status: 'completed' | 'error' | 'aborted' | 'interrupted' | 'failed'
  readonly message: string | null
}

/** The action for one event. */
export type Step =
  | { readonly kind: 'text'; readonly message_id: string; readonly text: string }
  | { readonly kind: 'tool'; readonly line: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'ask'; readonly request: AgentRequest }
  | { readonly kind: 'end'; readonly end: TurnEnd }

/**
 * Reads the event log as one person's turn: silent until their prompt is taken up, then text, tools and questions,
 * until that turn ends. Each event may be given once, in order.
 */
export function followTurn(prompt_id: string): (event: SessionEvent) => Step[] {
  const texts: MessageTexts = new Map()
  const tools = new Set<string>()
  let prompted = false
  let active = false

  function turn(event: SessionEvent): Step[] {
    const of = stringOf(event, 'prompt_id')
    const ours = of === null ? prompted : of === prompt_id
    if (!ours) return []
    if (event['state'] === 'begin') {
      active = true
      return []
    }
    // An unnamed end before our beginning closes another client's turn.
    if (of === null && !active) return []
    return [{ kind: 'end', end: turnEnd(event) }]
  }

  function tool(event: SessionEvent): Step[] {
    const name = oneLine(stringOf(event, 'tool') ?? 'tool')
    const title = oneLine(stringOf(event, 'title') ?? subject(event['input']))
    const line = title === '' ? name : `${name}: ${title}`
    const call = stringOf(event, 'call_id') ?? ''
    const status = stringOf(event, 'status')
    const steps: Step[] = []
    // A call is told once it has a title, at the latest when it is over.
    if (!tools.has(call) && status !== 'pending' && (title !== '' || status !== 'running')) {
      tools.add(call)
      steps.push({ kind: 'tool', line })
    }
    return status === 'error' ? [...steps, { kind: 'tool', line: `${name} failed` }] : steps
  }

  return (event) => {
    switch (event.type) {
      case 'prompt':
        if (stringOf(event, 'prompt_id') === prompt_id) prompted = true
        return []
      case 'turn':
        return turn(event)
      case 'status':
        return statusSteps(event, active)
      case 'permission':
      case 'question': {
        const request = readRequest(event)
        return request === null ? [] : [{ kind: 'ask', request }]
      }
      case 'message.delta':
      case 'message': {
        // An agent that thinks aloud says nothing to people yet.
        if (!active || event['thought'] === true) return []
        const unseen = unseenText(texts, event)
        return unseen === null ? [] : [{ kind: 'text', ...unseen }]
      }
      case 'tool':
        return active ? tool(event) : []
      case 'error':
        return active
          ? [{ kind: 'note', text: `error: ${oneLine(stringOf(event, 'message') ?? 'unknown')}` }]
          : []
      case 'notice':
        return [{ kind: 'note', text: stringOf(event, 'text') ?? '' }]
      case 'budget':
        return [{ kind: 'note', text: `a budget is ${String(event['threshold'])} % spent` }]
      case 'connector_call':
        return active ? connectorNote(event) : []
      case 'review':
        return [
          {
            kind: 'note',
            text: `review item: ${oneLine(stringOf(event, 'status') ?? '').replace('_', ' ')}`,
          },
        ]
      case 'runtime':
        return runtimeNote(event)
      case 'tool.delta':
      case 'file':
      case 'todo':
      case 'usage':
      case 'checkpoint':
        return []
      default:
        event.type satisfies never
        return []
    }
  }
}

/** An agent's word on itself, where it is one for people. */
function runtimeNote(event: SessionEvent): Step[] {
  const message = stringOf(event, 'message')
  if (event['state'] === 'silent') return [{ kind: 'note', text: 'the agent gives no sign of life' }]
  if (event['state'] === 'installing') return [{ kind: 'note', text: message ?? 'the agent is installed' }]
  return message === null ? [] : [{ kind: 'note', text: oneLine(message) }]
}

/** The subject of a call that has no title yet, by which a person tells it: runtimes give the title when it is over. */
function subject(input: unknown): string {
  if (!isObject(input)) return ''
  const subject = subjects.map((name) => stringOf(input, name)).find((text) => text !== null && text !== '')
  return subject?.replace(/^\/workspace\//, '') ?? ''
}

function turnEnd(event: SessionEvent): TurnEnd {
  const message = stringOf(event, 'error')
  switch (event['status']) {
    case 'completed':
    case 'aborted':
    case 'interrupted':
      return { status: event['status'], message }
    default:
      return { status: 'error', message }
  }
}

function statusSteps(event: SessionEvent, active: boolean): Step[] {
  const status = stringOf(event, 'status')
  if (status === 'failed') {
    const failure = event['failure']
    return [
      {
        kind: 'end',
        end: { status: 'failed', message: isObject(failure) ? stringOf(failure, 'message') : null },
      },
    ]
  }
  if (status === 'stopped' && active) {
    return [{ kind: 'end', end: { status: 'interrupted', message: 'the sandbox stopped' } }]
  }
  return active || status === null ? [] : [{ kind: 'note', text: `sandbox: ${oneLine(status)}` }]
}

/** Only what waits for a person, and what did not succeed, is worth a line: the agent says the rest. */
function connectorNote(event: SessionEvent): Step[] {
  const { connector, action, status, reason } = event
  if (status === 'awaiting_approval')
    return [
      {
        kind: 'note',
        text: `${String(connector)}.${String(action)} waits for an approval: svc approvals ls`,
      },
    ]
  if (typeof reason !== 'string') return []
  return [{ kind: 'note', text: `${String(connector)}.${String(action)}: ${reason}` }]
}
