import { createMiddleware } from 'hono/factory'
import type { AppEnv, HttpMetrics } from '../parts.ts'
import { answeredRoute } from './answered-route.ts'

/** One line and one measurement per request. The query and the headers stay out of both: they may hold credentials. */
export function accessLog(metrics: HttpMetrics | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = performance.now()
    await next()
    const { status } = c.res
    const seconds = (performance.now() - started) / 1000
    const route = answeredRoute(c) ?? 'none'
    metrics?.observe({ method: c.req.method, route, status, seconds })
    c.get('log').info(
      { method: c.req.method, path: c.req.path, status, duration_ms: Math.round(seconds * 1e5) / 100 },
      'request',
    )
  })
}
