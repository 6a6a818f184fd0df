import type { Usage } from '../../calls/usage.ts'
import type { Cut, EventReading, StreamFollower } from '../dialect.ts'
import { isObject, jsonIn, objectOf, textOf } from '../kit/json.ts'
import type { Refusal } from '../kit/refusal.ts'
import { readContentAnswer } from './answer.ts'
import { contentError } from './refusal.ts'
import { contentUsageText } from './usage.ts'

const nothing: EventReading = { output: [], output_tokens: null, is_withheld: false, error: null }

/** Follows the pieces of one answer: each is an answer of its own, and the last one says why it ended. */
export function followContent(): StreamFollower {
  let usage: Usage | null = null
  let finish: string | null = null

  return {
    read({ data }) {
      const piece = jsonIn(data)
      if (!isObject(piece)) return nothing
      if (isObject(piece['error'])) {
        const { status, message } = objectOf(piece['error'])
        return { ...nothing, error: { code: textOf(status) ?? 'error', message: textOf(message) ?? '' } }
      }
      const reading = readContentAnswer(piece)
      usage = reading.usage ?? usage
      finish = reading.finish ?? finish
      const output_tokens = reading.usage?.output_tokens ?? null
      return { ...nothing, output: reading.output, output_tokens }
    },
    usage: () => usage,
    finish: () => finish,
    hasEnded: () => finish !== null,
    cut({ svc, usage: counted }: Cut) {
      const content = { role: 'model', parts: [{ text: '' }] }
      const candidates = [{ content, finishReason: 'MAX_TOKENS', index: 0 }]
      const usageMetadata = contentUsageText(finish === null ? counted : (usage ?? counted))
      return [{ data: JSON.stringify({ candidates, usageMetadata, svc }) }]
    },
    fail: (refusal: Refusal) => [{ data: JSON.stringify({ error: contentError(refusal) }) }],
  }
}
