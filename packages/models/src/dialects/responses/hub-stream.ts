import type { AnswerHead, HubStreamWriter } from '../../hub/hub.ts'
import { type HubStep, hubSteps } from '../../hub/stream-state.ts'
import { hubUsage } from '../../hub/usage.ts'
import { type StreamEvent, typedEvent } from '../kit/stream-event.ts'
import { callItem, messageItem, reasoningItem, responseAround } from './hub-write.ts'

type Item = Readonly<Record<string, unknown>>
type Step<At> = Exclude<Extract<HubStep, { at: At }>, { type: 'finish' }>

/** Writes the hub's stream as events of a response. */
export function responseStream(head: AnswerHead): HubStreamWriter {
  const steps = hubSteps()
  const output: Item[] = []
  const places = new Map<string, number>()
  let sequence = 0
  let began = false
  const event = (type: string, fields: object) => typedEvent({ type, ...fields, sequence_number: sequence++ })

  function* events(step: HubStep): Generator<StreamEvent> {
    if (!began) {
      const response = responseAround(head, [], null)
      yield event('response.created', { response })
      yield event('response.in_progress', { response })
    }
    began = true
    if (step.type === 'finish') {
      const { finishReason: finish, usage } = step.part
      const response = responseAround(head, output, { finish, usage: hubUsage(usage) })
      yield event(`response.${String(response['status'])}`, { response })
    } else if (step.at === 'start') yield* opened(step)
    else if (step.at === 'delta') yield* grown(step)
    else yield* closed(step)
  }

  function place(step: Step<'start' | 'delta' | 'end'>) {
    const output_index = places.get(`${step.type} ${step.id}`) ?? output.length
    places.set(`${step.type} ${step.id}`, output_index)
    return { output_index, id: `${head.id}_${output_index}` }
  }

  function* opened(step: Step<'start'>): Generator<StreamEvent> {
    const { output_index, id } = place(step)
    const item =
      step.type === 'tool'
        ? callItem(id, step.id, step.name, '', 'in_progress')
        : step.type === 'text'
          ? messageItem(id, '', 'in_progress')
          : reasoningItem(id, '', step.proof)
    output[output_index] = item
    yield event('response.output_item.added', { output_index, item })
    const at = { item_id: item['id'], output_index }
    if (step.type === 'text')
      yield event('response.content_part.added', { ...at, content_index: 0, part: textPart('') })
    if (step.type === 'reasoning')
      yield event('response.reasoning_summary_part.added', { ...at, summary_index: 0, part: summaryPart('') })
  }

  function* grown(step: Step<'delta'>): Generator<StreamEvent> {
    const { output_index } = place(step)
    const at = { item_id: output[output_index]?.['id'], output_index, delta: step.delta }
    if (step.type === 'text')
      yield event('response.output_text.delta', { ...at, content_index: 0, logprobs: [] })
    else if (step.type === 'reasoning')
      yield event('response.reasoning_summary_text.delta', { ...at, summary_index: 0 })
    else yield event('response.function_call_arguments.delta', at)
  }

  function* closed(step: Step<'end'>): Generator<StreamEvent> {
    const { output_index, id } = place(step)
    const { text } = step
    const at = { item_id: output[output_index]?.['id'], output_index }
    if (step.type === 'tool')
      yield event('response.function_call_arguments.done', { ...at, name: step.name, arguments: text })
    else if (step.type === 'text') {
      yield event('response.output_text.done', { ...at, content_index: 0, text, logprobs: [] })
      yield event('response.content_part.done', { ...at, content_index: 0, part: textPart(text) })
    } else {
      yield event('response.reasoning_summary_text.done', { ...at, summary_index: 0, text })
      yield event('response.reasoning_summary_part.done', {
        ...at,
        summary_index: 0,
        part: summaryPart(text),
      })
    }
    const item =
      step.type === 'tool'
        ? callItem(id, step.id, step.name, text)
        : step.type === 'text'
          ? messageItem(id, text)
          : reasoningItem(id, text, step.proof)
    // An item keeps the id under which it began.
    output[output_index] = { ...item, id: at.item_id }
    yield event('response.output_item.done', { output_index, item: output[output_index] })
  }

  return { write: (part) => [...steps(part)].flatMap((step) => [...events(step)]) }
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const summaryPart = (text: string) => ({ type: 'summary_text', text })
