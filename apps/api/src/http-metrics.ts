import type { Metrics } from '@svc/boot'
import type { HttpMetrics } from './parts.ts'

/** Durations by route pattern, method and status: a path would make a series of every id. */
export function httpMetrics(metrics: Metrics): HttpMetrics {
  const duration = metrics.histogram('svc_http_request_duration_seconds', 'Time until the answer ended', [
    'method',
    'route',
    'status',
  ])
  return {
    observe: ({ method, route, status, seconds }) =>
      duration.observe({ method: knownMethod(method), route, status: String(status) }, seconds),
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other'
}
