import { type Logger, openTracing, type Tracing } from '@svc/boot'
import { version } from '../schema/version.ts'

interface TracingEnv {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
}

/** The traces of a process, when the operator names a collector. */
export function tracingOf(service: string, env: TracingEnv, log: Logger): Promise<Tracing | undefined> {
  return openTracing({ service, version, endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, log })
}
