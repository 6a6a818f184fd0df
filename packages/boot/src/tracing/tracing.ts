import type { Logger } from '../logger.ts'

export type SpanAttributes = Readonly<Record<string, string | number | null>>

export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'consumer' | 'client' | 'internal'
  /** The ids that others know it by before it is told of; new ones where absent. */
  readonly ids?: { readonly trace_id: string; readonly span_id: string } | undefined
  /** Now where absent. */
  readonly began_at?: Date | undefined
  /** The `traceparent` of the work that this is a part of. */
  readonly parent?: string | undefined
  /** The `traceparent` of work that is long over and that this follows. */
  readonly link?: string | undefined
  readonly attributes?: SpanAttributes
}

export interface SpanEnd {
  readonly name?: string
  /** Null is left out. */
  readonly attributes?: SpanAttributes
  readonly failed?: boolean
}

export interface Span {
  readonly trace_id: string
  /** As W3C Trace Context writes it, for the process that goes on with this work. */
  readonly traceparent: string
  end(how?: SpanEnd): void
}

export interface Tracing {
  begin(start: SpanStart): Span
  /** Sends what is left, for a short while. */
  close(): Promise<void>
}

export interface TracingOptions {
  readonly service: string
  readonly version: string
  /** Traces are off where none is given. */
  readonly endpoint: string | undefined
  readonly log: Pick<Logger, 'warn'>
}

/** Undefined where traces are off: then nothing of OpenTelemetry is loaded. */
export async function openTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  return startOpenTelemetry(options)
}
