import type { LanguageModelV3Content, LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { AnswerHead, HubResult } from '../../hub/hub.ts'
import { inputOf } from '../../hub/prompt.ts'
import { proofOf, type ReasoningProof, sealProof } from '../../hub/reasoning.ts'
import { hubUsage } from '../../hub/usage.ts'
import { messageUsageText } from './usage.ts'

const stops: Readonly<Record<LanguageModelV3FinishReason['unified'], string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-calls': 'tool_use',
  error: 'end_turn',
  other: 'end_turn',
}

export function stopReason({ unified, raw }: LanguageModelV3FinishReason): string {
  return raw === 'stop_sequence' || raw === 'pause_turn' ? raw : stops[unified]
}

/** The proof of a piece of reasoning, as a message carries it: Anthropic's own is its own signature. */
export function signatureOf(proof: ReasoningProof): string {
  const own = proof['anthropic']?.['signature']
  return typeof own === 'string' ? own : (sealProof(proof) ?? '')
}

/** Reasoning that its provider keeps to itself. */
export function redactedOf(proof: ReasoningProof): string | null {
  const data = proof['anthropic']?.['redactedData']
  return typeof data === 'string' ? data : null
}

/** A whole message of the hub's result. */
export function messageOfHub(result: HubResult, { id, model }: AnswerHead): Record<string, unknown> {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: result.content.flatMap(blocksOf),
    stop_reason: stopReason(result.finishReason),
    stop_sequence: null,
    usage: messageUsageText(hubUsage(result.usage)),
  }
}

function blocksOf(part: LanguageModelV3Content): readonly object[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning': {
      const proof = proofOf(part.providerMetadata)
      const data = redactedOf(proof)
      return data === null
        ? [{ type: 'thinking', thinking: part.text, signature: signatureOf(proof) }]
        : [{ type: 'redacted_thinking', data }]
    }
    case 'tool-call':
      return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: inputOf(part.input) }]
    default:
      return []
  }
}
