import type { Usage } from '../../calls/usage.ts'
import type { CallRequest, Cut, EventReading, StreamFollower } from '../dialect.ts'
import { isObject, jsonIn, type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'
import { openAiRefusal, type Refusal } from '../kit/refusal.ts'
import type { StreamEvent } from '../kit/stream-event.ts'
import { messageTexts } from './answer.ts'
import { chatUsage, chatUsageText } from './usage.ts'

const nothing: EventReading = { output: [], output_tokens: null, is_withheld: false, error: null }
const done: StreamEvent = { data: '[DONE]' }

/** Follows the chunks of one chat completion. */
export function followChat({ asks_usage }: Pick<CallRequest, 'asks_usage'>): StreamFollower {
  let usage: Usage | null = null
  let finish: string | null = null
  let ended = false
  let head: JsonObject = {}
  /** The choices that began; true once one has its reason to end. */
  const choices = new Map<number, boolean>([[0, false]])

  return {
    read({ data }) {
      if (data.trim() === '[DONE]') {
        ended = true
        return nothing
      }
      const chunk = jsonIn(data)
      if (!isObject(chunk)) return nothing
      if (isObject(chunk['error'])) return { ...nothing, error: errorOf(chunk['error']) }
      const { id, created, model, system_fingerprint } = chunk
      if (id !== undefined) head = { id, created, model, system_fingerprint }
      const said = chatUsage(chunk['usage'])
      usage = said ?? usage
      const parts = listOf(chunk['choices']).map(objectOf)
      for (const part of parts) {
        const reason = textOf(part['finish_reason'])
        finish = reason ?? finish
        const index = typeof part['index'] === 'number' ? part['index'] : 0
        choices.set(index, reason !== null || choices.get(index) === true)
      }
      return {
        output: parts.flatMap((part) => messageTexts(part['delta'])),
        output_tokens: said?.output_tokens ?? null,
        is_withheld: said !== null && parts.length === 0 && !asks_usage,
        error: null,
      }
    },
    usage: () => usage,
    finish: () => finish,
    hasEnded: () => ended,
    cut({ svc, usage: counted }: Cut) {
      const chunk = (fields: object): StreamEvent => ({
        data: JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields, svc }),
      })
      const open = [...choices].flatMap(([index, hasReason]) => (hasReason ? [] : [index]))
      const ends = open.map((index) => ({ index, delta: {}, finish_reason: 'length' }))
      return [
        chunk({ choices: ends }),
        ...(asks_usage ? [chunk({ choices: [], usage: chatUsageText(usage ?? counted) })] : []),
        done,
      ]
    },
    fail: (refusal: Refusal) => [{ data: JSON.stringify(openAiRefusal(refusal)) }, done],
  }
}

function errorOf(error: JsonObject): EventReading['error'] {
  return { code: String(error['code'] ?? error['type'] ?? 'error'), message: textOf(error['message']) ?? '' }
}
