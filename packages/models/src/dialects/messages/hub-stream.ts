import { noUsage } from '../../calls/usage.ts'
import type { AnswerHead, HubStreamWriter } from '../../hub/hub.ts'
import { type HubStep, hubSteps } from '../../hub/stream-state.ts'
import { hubUsage } from '../../hub/usage.ts'
import { type StreamEvent, typedEvent } from '../kit/stream-event.ts'
import { redactedOf, signatureOf, stopReason } from './hub-write.ts'
import { messageUsageText } from './usage.ts'

/** Writes the hub's stream as events of a message. */
export function messageStream({ id, model }: AnswerHead): HubStreamWriter {
  const steps = hubSteps()
  const blocks = new Map<string, number>()
  let began = false

  const start = (key: string, content_block: object) => {
    const index = blocks.size
    blocks.set(key, index)
    return typedEvent({ type: 'content_block_start', index, content_block })
  }
  const delta = (key: string, of: object) =>
    typedEvent({ type: 'content_block_delta', index: blocks.get(key) ?? 0, delta: of })
  const stop = (key: string) => typedEvent({ type: 'content_block_stop', index: blocks.get(key) ?? 0 })

  function* events(step: HubStep): Generator<StreamEvent> {
    if (!began) yield messageStart(id, model)
    began = true
    if (step.type === 'finish') {
      const { finishReason, usage } = step.part
      const ended = { stop_reason: stopReason(finishReason), stop_sequence: null }
      yield typedEvent({ type: 'message_delta', delta: ended, usage: messageUsageText(hubUsage(usage)) })
      yield typedEvent({ type: 'message_stop' })
      return
    }
    const key = `${step.type} ${step.id}`
    if (step.at === 'start') yield start(key, openingOf(step))
    else if (step.at === 'delta') yield delta(key, deltaOf(step))
    else {
      const isSigned = step.type === 'reasoning' && redactedOf(step.proof) === null
      if (isSigned) yield delta(key, { type: 'signature_delta', signature: signatureOf(step.proof) })
      yield stop(key)
    }
  }

  return { write: (part) => [...steps(part)].flatMap((step) => [...events(step)]) }
}

function openingOf(step: Extract<HubStep, { at: 'start' }>): object {
  if (step.type === 'tool') return { type: 'tool_use', id: step.id, name: step.name, input: {} }
  if (step.type === 'text') return { type: 'text', text: '' }
  const data = redactedOf(step.proof)
  return data === null
    ? { type: 'thinking', thinking: '', signature: '' }
    : { type: 'redacted_thinking', data }
}

function deltaOf({ type, delta }: Extract<HubStep, { at: 'delta' }>): object {
  if (type === 'text') return { type: 'text_delta', text: delta }
  if (type === 'reasoning') return { type: 'thinking_delta', thinking: delta }
  return { type: 'input_json_delta', partial_json: delta }
}

/** The input is known at the end alone; the last `usage` counts. */
function messageStart(id: string, model: string): StreamEvent {
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsageText(noUsage),
  }
  return typedEvent({ type: 'message_start', message })
}
