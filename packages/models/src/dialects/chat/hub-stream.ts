import type { AnswerHead, HubStreamWriter } from '../../hub/hub.ts'
import { type HubStep, hubSteps } from '../../hub/stream-state.ts'
import { hubUsage } from '../../hub/usage.ts'
import type { StreamEvent } from '../kit/stream-event.ts'
import { chatFinish, reasoningDetail } from './hub-write.ts'
import { chatUsageText } from './usage.ts'

/** Writes the hub's stream as chunks of a chat completion. */
export function chatStream({ id, model, created, asks_usage }: AnswerHead): HubStreamWriter {
  const steps = hubSteps()
  const calls = new Map<string, number>()
  const base = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model }
  const event = (fields: object): StreamEvent => ({ data: JSON.stringify({ ...base, ...fields }) })
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] })
  let began = false

  function* events(step: HubStep): Generator<StreamEvent> {
    if (!began) yield chunk({ role: 'assistant', content: '' })
    began = true
    switch (step.type) {
      case 'text':
        if (step.at === 'delta') yield chunk({ content: step.delta })
        break
      case 'reasoning': {
        if (step.at === 'delta') yield chunk({ reasoning_content: step.delta })
        if (step.at !== 'end') break
        const reasoning_details = reasoningDetail(step.text, step.proof)
        if (reasoning_details.length > 0) yield chunk({ reasoning_details })
        break
      }
      case 'tool': {
        const index = calls.get(step.id) ?? calls.size
        calls.set(step.id, index)
        if (step.at === 'start') {
          const opening = { id: step.id, type: 'function', function: { name: step.name, arguments: '' } }
          yield chunk({ tool_calls: [{ index, ...opening }] })
        }
        if (step.at === 'delta') yield chunk({ tool_calls: [{ index, function: { arguments: step.delta } }] })
        break
      }
      case 'finish': {
        yield chunk({}, chatFinish(step.part.finishReason))
        if (asks_usage) yield event({ choices: [], usage: chatUsageText(hubUsage(step.part.usage)) })
        yield { data: '[DONE]' }
        break
      }
    }
  }

  return { write: (part) => [...steps(part)].flatMap((step) => [...events(step)]) }
}
