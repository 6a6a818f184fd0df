import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { AnswerHead, HubResult } from '../../hub/hub.ts'
import { proofOf, type ReasoningProof, sealProof } from '../../hub/reasoning.ts'
import { hubUsage } from '../../hub/usage.ts'
import type { Usage } from '../../calls/usage.ts'
import { responseUsageText } from './usage.ts'

type Item = Readonly<Record<string, unknown>>

/** The items of an output, each under an id of its own below that of the response. */
export function messageItem(id: string, text: string, status = 'completed'): Item {
  const content = status === 'completed' ? [{ type: 'output_text', text, annotations: [], logprobs: [] }] : []
  return { id: `msg_${id}`, type: 'message', role: 'assistant', status, content }
}

export function reasoningItem(id: string, text: string, proof: ReasoningProof): Item {
  const own = proof['openai']
  return {
    id: typeof own?.['itemId'] === 'string' ? own['itemId'] : `rs_${id}`,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content:
      typeof own?.['reasoningEncryptedContent'] === 'string'
        ? own['reasoningEncryptedContent']
        : sealProof(proof),
  }
}

export function callItem(
  id: string,
  call_id: string,
  name: string,
  written: string,
  status = 'completed',
): Item {
  return { id: `fc_${id}`, type: 'function_call', call_id, name, arguments: written, status }
}

/** A response around its items. One whose answer reached its limit, or was filtered, is incomplete. */
export function responseAround(
  { id, model, created }: AnswerHead,
  output: readonly Item[],
  end: { readonly finish: LanguageModelV3FinishReason; readonly usage: Usage } | null,
): Record<string, unknown> {
  const reasons: Readonly<Record<string, string>> = {
    length: 'max_output_tokens',
    'content-filter': 'content_filter',
  }
  const reason = end === null ? undefined : reasons[end.finish.unified]
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status: end === null ? 'in_progress' : reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: true,
    store: false,
    tool_choice: 'auto',
    tools: [],
    usage: end === null ? null : responseUsageText(end.usage),
  }
}

/** A whole response of the hub's result. */
export function responseOfHub(
  { content, finishReason, usage }: HubResult,
  head: AnswerHead,
): Record<string, unknown> {
  const output = content.flatMap((part, at): Item[] => {
    const id = `${head.id}_${at}`
    switch (part.type) {
      case 'text':
        return [messageItem(id, part.text)]
      case 'reasoning':
        return [reasoningItem(id, part.text, proofOf(part.providerMetadata))]
      case 'tool-call':
        return [callItem(id, part.toolCallId, part.toolName, part.input)]
      default:
        return []
    }
  })
  return responseAround(head, output, { finish: finishReason, usage: hubUsage(usage) })
}
