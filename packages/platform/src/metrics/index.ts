export { poolMeter } from './pool-meter.ts'
export { serviceMetrics } from './service-metrics.ts'
export { tracingOf } from './tracing-of.ts'
