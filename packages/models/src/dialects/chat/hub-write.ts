import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { AnswerHead, HubResult } from '../../hub/hub.ts'
import { proofOf, type ReasoningProof, sealProof } from '../../hub/reasoning.ts'
import { hubUsage } from '../../hub/usage.ts'
import { chatUsageText } from './usage.ts'

const finishes: Readonly<Record<LanguageModelV3FinishReason['unified'], string>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'stop',
  other: 'stop',
}

export function chatFinish({ unified }: LanguageModelV3FinishReason): string {
  return finishes[unified]
}

/** Reasoning with the proof that its provider wants back; chats have no field of their own for it. */
export function reasoningDetail(text: string, proof: ReasoningProof): readonly Record<string, string>[] {
  const data = sealProof(proof)
  if (data === null) return []
  return [{ type: 'reasoning.text', text, signature: data, format: 'svc' }]
}

/** A whole chat completion of the hub's result. */
export function chatOfHub(result: HubResult, { id, model, created }: AnswerHead): Record<string, unknown> {
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const reasoning = result.content.flatMap((part) => (part.type === 'reasoning' ? [part] : []))
  const calls = result.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  const details = reasoning.flatMap((part) => reasoningDetail(part.text, proofOf(part.providerMetadata)))
  const why = reasoning.map((part) => part.text).join('')
  const message = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(why === '' ? {} : { reasoning_content: why }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ toolCallId, toolName, input }) => ({
            id: toolCallId,
            type: 'function',
            function: { name: toolName, arguments: input },
          })),
        }),
  }
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: chatFinish(result.finishReason) }],
    usage: chatUsageText(hubUsage(result.usage)),
  }
}
