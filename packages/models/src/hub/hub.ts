import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider'
import type { Body } from '../dialects/kit/body.ts'
import type { StreamEvent } from '../dialects/kit/stream-event.ts'
import type { ProviderKind } from '../providers/new-provider.ts'

/** The side that answers a translated call: a kind of provider, or the scripted demo model. */
export type HubTarget = ProviderKind | 'demo'

/** An answer as its client is told of it. */
export interface AnswerHead {
  /** Unique; the dialect puts its own prefix before it. */
  readonly id: string
  /** The model as the client may name it. */
  readonly model: string
  /** Seconds of the epoch. */
  readonly created: number
  readonly asks_usage: boolean
}

export type HubResult = Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason' | 'usage'>

/** A writer of one stream of a dialect. */
export interface HubStreamWriter {
  /** The events that a part of the hub's stream becomes. An `error` becomes none: `fail` of the follower tells it. */
  write(part: LanguageModelV3StreamPart): readonly StreamEvent[]
}

/**
 * A dialect's server side of translation. The prompt and the stream parts of the AI SDK are the hub between the
 * dialects: a reader makes the first of a request, the writers make an answer of the second.
 */
export interface HubDialect {
  /** Refuses with `cannot_translate` what the target cannot say and would change the answer. */
  read(body: Body, target: HubTarget): LanguageModelV3CallOptions
  write(result: HubResult, head: AnswerHead): Record<string, unknown>
  stream(head: AnswerHead): HubStreamWriter
}
