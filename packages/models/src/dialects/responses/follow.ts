import type { Usage } from '../../calls/usage.ts'
import type { Cut, EventReading, StreamFollower } from '../dialect.ts'
import { isObject, jsonIn, type JsonObject, numberOf, objectOf, textOf, texts } from '../kit/json.ts'
import type { Refusal } from '../kit/refusal.ts'
import { typedEvent } from '../kit/stream-event.ts'
import { finishOf } from './answer.ts'
import { outputItems } from './output-items.ts'
import { responseUsage, responseUsageText } from './usage.ts'

const nothing: EventReading = { output: [], output_tokens: null, is_withheld: false, error: null }
const ends = ['response.completed', 'response.incomplete', 'response.failed']

/** Follows the events of one response. */
export function followResponse(): StreamFollower {
  let usage: Usage | null = null
  let finish: string | null = null
  let ended = false
  let response: JsonObject = { id: 'resp_cut', object: 'response', output: [] }
  let sequence = 0
  const items = outputItems()
  const event = (fields: { readonly type: string; readonly [field: string]: unknown }) =>
    typedEvent({ ...fields, sequence_number: sequence++ })

  return {
    read({ data }) {
      const said = jsonIn(data)
      if (!isObject(said)) return nothing
      const type = String(said['type'])
      sequence = Math.max(sequence, (numberOf(said['sequence_number']) ?? sequence - 1) + 1)
      if (isObject(said['response'])) response = said['response']
      items.read(said)
      if (ends.includes(type)) {
        ended = true
        usage = responseUsage(response['usage']) ?? usage
        finish = finishOf(response)
      }
      if (type === 'error' || type === 'response.failed')
        return { ...nothing, error: errorOf(type === 'error' ? said : objectOf(response['error'])) }
      const isDelta = type.endsWith('.delta') && !type.includes('audio')
      return {
        ...nothing,
        output: isDelta ? texts(said['delta']) : nameOf(said),
        output_tokens: ended ? (usage?.output_tokens ?? null) : null,
      }
    },
    usage: () => usage,
    finish: () => finish,
    hasEnded: () => ended,
    cut({ svc, usage: counted }: Cut) {
      const closed = items.open().map(([output_index, item]) =>
        event({
          type: 'response.output_item.done',
          output_index,
          item: { ...item, status: 'incomplete' },
        }),
      )
      const incomplete = {
        ...response,
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: items.all(),
        usage: responseUsageText(usage ?? counted),
        svc,
      }
      return [...closed, event({ type: 'response.incomplete', response: incomplete, svc })]
    },
    fail({ code, message, status, details = {} }: Refusal) {
      const error = { ...details, code, message, status }
      const failed = { ...response, status: 'failed', error, output: items.all() }
      return [event({ type: 'response.failed', response: failed })]
    },
  }
}

/** The name of a tool is output as well. */
function nameOf(said: JsonObject): readonly string[] {
  return said['type'] === 'response.output_item.added' ? texts(objectOf(said['item'])['name']) : []
}

function errorOf(error: JsonObject): EventReading['error'] {
  return { code: String(error['code'] ?? 'error'), message: textOf(error['message']) ?? '' }
}
