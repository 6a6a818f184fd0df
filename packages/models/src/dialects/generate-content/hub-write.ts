import type { LanguageModelV3Content, LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { AnswerHead, HubResult } from '../../hub/hub.ts'
import { inputOf } from '../../hub/prompt.ts'
import { proofOf, sealProof } from '../../hub/reasoning.ts'
import { hubUsage } from '../../hub/usage.ts'
import { contentUsageText } from './usage.ts'

const finishes: Readonly<Record<LanguageModelV3FinishReason['unified'], string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  'tool-calls': 'STOP',
  error: 'OTHER',
  other: 'STOP',
}

export function contentFinish({ unified }: LanguageModelV3FinishReason): string {
  return finishes[unified]
}

/** A call, with the proof of the reasoning before it: clients send the signature of a call back, and drop thoughts. */
export function callPart(call: { id: string; name: string; text: string }, thoughtSignature: string | null) {
  const functionCall = { id: call.id, name: call.name, args: inputOf(call.text) }
  return { functionCall, ...(thoughtSignature === null ? {} : { thoughtSignature }) }
}

/** A whole answer of the hub's result. */
export function contentOfHub(result: HubResult, { id, model }: AnswerHead): Record<string, unknown> {
  let signature: string | null = null
  const partOf = (part: LanguageModelV3Content): readonly object[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [{ text: part.text }]
      case 'reasoning':
        signature = sealProof(proofOf(part.providerMetadata)) ?? signature
        return part.text === '' ? [] : [{ text: part.text, thought: true }]
      case 'tool-call': {
        const call = { id: part.toolCallId, name: part.toolName, text: part.input }
        const written = callPart(call, signature)
        signature = null
        return [written]
      }
      default:
        return []
    }
  }
  const content = { role: 'model', parts: result.content.flatMap(partOf) }
  return {
    candidates: [{ content, finishReason: contentFinish(result.finishReason), index: 0 }],
    usageMetadata: contentUsageText(hubUsage(result.usage)),
    modelVersion: model,
    responseId: id,
  }
}
