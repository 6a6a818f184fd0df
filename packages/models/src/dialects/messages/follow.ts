import type { Cut, EventReading, StreamFollower } from '../dialect.ts'
import { isObject, jsonIn, type JsonObject, numberOf, objectOf, textOf } from '../kit/json.ts'
import type { Refusal } from '../kit/refusal.ts'
import { typedEvent } from '../kit/stream-event.ts'
import { blockTexts } from './answer.ts'
import { messageError } from './refusal.ts'
import { messageUsage, messageUsageText, replacedUsage } from './usage.ts'

const nothing: EventReading = { output: [], output_tokens: null, is_withheld: false, error: null }

/** Follows the events of one message. */
export function followMessage(): StreamFollower {
  let usage: JsonObject = {}
  let finish: string | null = null
  let began = false
  let ended = false
  const open = new Set<number>()

  return {
    read({ data }) {
      const event = jsonIn(data)
      if (!isObject(event)) return nothing
      const index = numberOf(event['index']) ?? 0
      switch (event['type']) {
        case 'message_start':
          began = true
          usage = replacedUsage(usage, objectOf(event['message'])['usage'])
          return nothing
        case 'content_block_start':
          open.add(index)
          return { ...nothing, output: blockTexts(event['content_block']) }
        case 'content_block_delta':
          return { ...nothing, output: blockTexts(event['delta']) }
        case 'content_block_stop':
          open.delete(index)
          return nothing
        case 'message_delta': {
          usage = replacedUsage(usage, event['usage'])
          finish = textOf(objectOf(event['delta'])['stop_reason']) ?? finish
          return { ...nothing, output_tokens: numberOf(objectOf(event['usage'])['output_tokens']) }
        }
        case 'message_stop':
          ended = true
          return nothing
        case 'error': {
          const { type, message } = objectOf(event['error'])
          return { ...nothing, error: { code: textOf(type) ?? 'error', message: textOf(message) ?? '' } }
        }
        default:
          return nothing
      }
    },
    usage: () => messageUsage(usage),
    finish: () => finish,
    hasEnded: () => ended,
    cut({ svc, usage: counted }: Cut) {
      const last = finish === null ? messageUsageText(counted) : { ...usage }
      const delta = { stop_reason: 'max_tokens', stop_sequence: null }
      return [
        ...(began ? [] : [startOf(counted)]),
        ...[...open].map((index) => typedEvent({ type: 'content_block_stop', index })),
        typedEvent({ type: 'message_delta', delta, usage: last, svc }),
        typedEvent({ type: 'message_stop', svc }),
      ]
    },
    fail: (refusal: Refusal) => [typedEvent({ type: 'error', error: messageError(refusal) })],
  }
}

/** The beginning of a message of which nothing came. */
function startOf(usage: Cut['usage']) {
  const message = {
    id: 'msg_cut',
    type: 'message',
    role: 'assistant',
    model: '',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsageText({ ...usage, output_tokens: 0, reasoning_tokens: 0 }),
  }
  return typedEvent({ type: 'message_start', message })
}
