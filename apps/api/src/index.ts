export { type Api, createApi } from './api.ts'
export type { ApiParts, HttpMetrics, HttpSample, Mount } from './parts.ts'
export { httpMetrics } from './http-metrics.ts'
export { type ListenOptions, type RunningApi, startApi } from './server.ts'
