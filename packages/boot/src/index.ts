export { drainable } from './drainable.ts'
export {
  type Check,
  type InternalAddress,
  type InternalServer,
  type InternalServerOptions,
  startInternalServer,
} from './internal-server.ts'
export { createLifecycle, type Lifecycle, type LifecycleOptions } from './lifecycle.ts'
export { listenFault } from './listen-fault.ts'
export { createLogger, type Logger, type LoggerOptions, type LogLevel } from './logger.ts'
export { maskSecrets } from './mask.ts'
export { type MetricFamily, type ServiceName, services } from './metrics/metric-family.ts'
export { createMetrics, type Meter, type Metrics } from './metrics/metrics.ts'
export { type MetricName, metricsCatalogue } from './metrics/metrics-catalogue.ts'
export { createOutages, type Outages } from './outages.ts'
export { readSettings, SettingsError } from './settings.ts'
export { settingsOrExit } from './settings-or-exit.ts'
export { openTracing, type Span, type SpanEnd, type SpanStart, type Tracing } from './tracing/tracing.ts'
