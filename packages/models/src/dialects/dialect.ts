import type { HubDialect } from '../hub/hub.ts'
import type { InputSize } from '../bounds/input-bound.ts'
import type { Usage } from '../calls/usage.ts'
import type { Body } from './kit/body.ts'
import type { Refusal } from './kit/refusal.ts'
import type { StreamEvent } from './kit/stream-event.ts'

export const dialectNames = ['chat', 'responses', 'messages', 'generate_content', 'embeddings'] as const
export type DialectName = (typeof dialectNames)[number]

/** The part of a request that admission needs, whatever the dialect. */
export interface CallRequest {
  /** The name of the model as the client wrote it; null for the default one. */
  readonly model: string | null
  readonly stream: boolean
  /** Answers that are asked for. */
  readonly n: number
  /** Output tokens of each answer; null where the client sets no limit. */
  readonly output_limit: number | null
  /** Embeddings have no output. */
  readonly has_output: boolean
  readonly size: InputSize
  /** The prompt marks parts that the provider keeps for an hour, at another price. */
  readonly caches_1h: boolean
  /** Fields whose cost nothing bounds, in the order of the body; refused where a budget pays. */
  readonly unbounded: readonly string[]
  /** The client reads the usage of a stream as a chunk of its own. */
  readonly asks_usage: boolean
}

/** The changes of a body that is passed on. */
export interface PassedEdits {
  /** The provider's own id of the model. */
  readonly model: string
  /** The clamped limit of each answer; null leaves what the client sent, or nothing. */
  readonly output_limit: number | null
  /** The name that the provider gives to the limit of a chat. */
  readonly output_limit_field?: 'max_tokens' | 'max_completion_tokens'
}

/** A whole answer as it is metered. */
export interface AnswerReading {
  readonly usage: Usage | null
  readonly finish: string | null
  /** Text, reasoning and arguments of tools, for a count where the provider gave none. */
  readonly output: readonly string[]
}

/** One event of a stream as it is metered. */
export interface EventReading {
  readonly output: readonly string[]
  /** The provider's own count of the output so far; null where the event has none. */
  readonly output_tokens: number | null
  /** The client did not ask for this event: it is not passed on. */
  readonly is_withheld: boolean
  /** The provider's own error within the stream. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A cut as the last objects of a stream tell it, in their `svc`. */
export interface Cut {
  /** Charged and reported where the provider's own usage did not come. */
  readonly usage: Usage
  /** `{ code: 'budget_exceeded', … }` */
  readonly svc: Readonly<Record<string, unknown>>
}

/** A reader of one stream, by the events that the client is sent. It can end the stream at any place. */
export interface StreamFollower {
  read(event: StreamEvent): EventReading
  /**
   * The last usage that the provider gave; null where none came. Before `finish` is said its output may be short: the
   * count of what came is the larger one then.
   */
  usage(): Usage | null
  finish(): string | null
  /** The stream came to the end that its dialect has. */
  hasEnded(): boolean
  /** The end of a stream that is cut, so that its client sees an answer that reached its limit. */
  cut(end: Cut): readonly StreamEvent[]
  /** The end of a stream that failed. */
  fail(refusal: Refusal): readonly StreamEvent[]
}

/** A wire format in which clients ask models. Each is a folder of this one and a line in `dialects.ts`. */
export interface Dialect {
  readonly name: DialectName
  /** Below `/v1/llm`. */
  readonly path: string
  read(body: Body): CallRequest
  /** The body as it is passed to a provider of the same dialect: changed in these fields, equal in all others. */
  edit(body: Body, edits: PassedEdits): string
  readAnswer(answer: unknown): AnswerReading
  follow(request: Pick<CallRequest, 'asks_usage'>): StreamFollower
  refusal(refusal: Refusal, request_id: string): Record<string, unknown>
}

/** A dialect that providers of other dialects answer as well. */
export interface TranslatedDialect extends Dialect {
  readonly hub: HubDialect
}
