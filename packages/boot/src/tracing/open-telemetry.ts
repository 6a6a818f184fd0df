import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base'
import { settled } from '@svc/timing'
import type { SpanAttributes, SpanStart, Tracing, TracingOptions } from './tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const
const closeMs = 2_000

/**
 * Spans go to the endpoint of the standard OTEL_* variables, which the SDK reads by itself. Its queue is bounded: a
 * collector that is away costs spans, one warning, and nothing else.
 */
export function startOpenTelemetry({ service, version, log }: Omit<TracingOptions, 'endpoint'>): Tracing {
  let warned = false
  setGlobalErrorHandler((err) => {
    if (!warned) log.warn({ err }, 'Spans cannot be sent to the collector; they are dropped')
    warned = true
  })
  const ids = new GivenIds()
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `svc-${service}`, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('svc', version)
  return {
    begin({ name, kind, parent, link, ids: given, began_at, attributes = {} }) {
      const linked = contextOf(link)
      const options = {
        kind: kinds[kind],
        links: linked === null ? [] : [{ context: linked }],
        attributes: known(attributes),
        ...(began_at && { startTime: began_at }),
      }
      const span = ids.during(given, () => tracer.startSpan(name, options, within(parent)))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        trace_id: traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end({ name: renamed, attributes: more = {}, failed = false } = {}) {
          if (renamed !== undefined) span.updateName(renamed)
          span.setAttributes(known(more))
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    async close() {
      await settled(closeMs, provider.shutdown())
    },
  }
}

/** Ids are random but for a span that others knew before it was told of. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #given: SpanStart['ids']

  during<T>(ids: SpanStart['ids'], start: () => T): T {
    this.#given = ids
    try {
      return start()
    } finally {
      this.#given = undefined
    }
  }

  generateTraceId = (): string => this.#given?.trace_id ?? this.#random.generateTraceId()
  generateSpanId = (): string => this.#given?.span_id ?? this.#random.generateSpanId()
}

function contextOf(traceparent: string | undefined): SpanContext | null {
  return traceparent === undefined ? null : parseTraceParent(traceparent)
}

function within(traceparent: string | undefined): Context {
  const parent = contextOf(traceparent)
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

function known(attributes: SpanAttributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== null),
  )
}
