import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { proofOf, type ReasoningProof } from './reasoning.ts'

type PartOf<Type extends LanguageModelV3StreamPart['type']> = Extract<
  LanguageModelV3StreamPart,
  { type: Type }
>

/** A stream of the hub as a writer needs it: each step once, and whole calls as streamed ones. */
export type HubStep =
  | {
      readonly type: 'text' | 'reasoning'
      readonly at: 'start'
      readonly id: string
      readonly proof: ReasoningProof
    }
  | { readonly type: 'text' | 'reasoning'; readonly at: 'delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'text' | 'reasoning'
      readonly at: 'end'
      readonly id: string
      readonly text: string
      readonly proof: ReasoningProof
    }
  | { readonly type: 'tool'; readonly at: 'start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool'; readonly at: 'delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool'
      readonly at: 'end'
      readonly id: string
      readonly name: string
      readonly text: string
    }
  | { readonly type: 'finish'; readonly part: PartOf<'finish'> }

/** Reads the parts of one stream into steps. A call that comes whole, or that never ended, ends here. */
export function hubSteps() {
  const open = new Map<string, { name: string; text: string; proof: ReasoningProof }>()
  const ended = new Set<string>()

  function* tool(id: string, name: string): Generator<HubStep> {
    if (open.has(id) || ended.has(id)) return
    open.set(id, { name, text: '', proof: {} })
    yield { type: 'tool', at: 'start', id, name }
  }
  function* toolDelta(id: string, delta: string): Generator<HubStep> {
    const call = open.get(id)
    if (call === undefined || delta === '') return
    call.text += delta
    yield { type: 'tool', at: 'delta', id, delta }
  }
  function* toolEnd(id: string): Generator<HubStep> {
    const call = open.get(id)
    if (call === undefined) return
    open.delete(id)
    ended.add(id)
    yield { type: 'tool', at: 'end', id, name: call.name, text: call.text }
  }

  return function* steps(part: LanguageModelV3StreamPart): Generator<HubStep> {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const proof = proofOf(part.providerMetadata)
        open.set(part.id, { name: '', text: '', proof })
        yield { type: part.type === 'text-start' ? 'text' : 'reasoning', at: 'start', id: part.id, proof }
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const piece = open.get(part.id)
        if (piece === undefined) break
        piece.text += part.delta
        piece.proof = proofOf(part.providerMetadata, piece.proof)
        const type = part.type === 'text-delta' ? 'text' : 'reasoning'
        if (part.delta !== '') yield { type, at: 'delta', id: part.id, delta: part.delta }
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        const piece = open.get(part.id)
        if (piece === undefined) break
        open.delete(part.id)
        const proof = proofOf(part.providerMetadata, piece.proof)
        const type = part.type === 'text-end' ? 'text' : 'reasoning'
        yield { type, at: 'end', id: part.id, text: piece.text, proof }
        break
      }
      case 'tool-input-start':
        yield* tool(part.id, part.toolName)
        break
      case 'tool-input-delta':
        yield* toolDelta(part.id, part.delta)
        break
      case 'tool-call': {
        if (ended.has(part.toolCallId)) break
        yield* tool(part.toolCallId, part.toolName)
        const before = open.get(part.toolCallId)?.text ?? ''
        if (part.input.startsWith(before)) yield* toolDelta(part.toolCallId, part.input.slice(before.length))
        yield* toolEnd(part.toolCallId)
        break
      }
      case 'finish':
        for (const id of [...open.keys()]) yield* toolEnd(id)
        yield { type: 'finish', part }
        break
      default:
        break
    }
  }
}
