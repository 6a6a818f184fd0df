import type { AnswerHead, HubStreamWriter } from '../../hub/hub.ts'
import { sealProof } from '../../hub/reasoning.ts'
import { type HubStep, hubSteps } from '../../hub/stream-state.ts'
import { hubUsage } from '../../hub/usage.ts'
import type { StreamEvent } from '../kit/stream-event.ts'
import { callPart, contentFinish } from './hub-write.ts'
import { contentUsageText } from './usage.ts'

/** Writes the hub's stream as pieces of an answer. A call comes whole, as clients of this dialect expect one. */
export function contentStream({ id, model }: AnswerHead): HubStreamWriter {
  const steps = hubSteps()
  let signature: string | null = null
  const piece = (part: object, candidate: object = {}, fields: object = {}): StreamEvent => {
    const content = { role: 'model', parts: [part] }
    const candidates = [{ content, ...candidate, index: 0 }]
    return { data: JSON.stringify({ candidates, ...fields, modelVersion: model, responseId: id }) }
  }

  function* events(step: HubStep): Generator<StreamEvent> {
    switch (step.type) {
      case 'text':
        if (step.at === 'delta') yield piece({ text: step.delta })
        break
      case 'reasoning':
        if (step.at === 'delta') yield piece({ text: step.delta, thought: true })
        if (step.at === 'end') signature = sealProof(step.proof) ?? signature
        break
      case 'tool':
        if (step.at !== 'end') break
        yield piece(callPart(step, signature))
        signature = null
        break
      case 'finish': {
        const { finishReason, usage } = step.part
        const usageMetadata = contentUsageText(hubUsage(usage))
        yield piece({ text: '' }, { finishReason: contentFinish(finishReason) }, { usageMetadata })
        break
      }
    }
  }

  return { write: (part) => [...steps(part)].flatMap((step) => [...events(step)]) }
}
