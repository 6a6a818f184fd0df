import type { Logger } from '@svc/boot'
import { createMiddleware } from 'hono/factory'
import type { AppEnv, HttpMetrics } from '../parts.ts'
import { withHeaders } from './answer-headers.ts'
import { answeredRoute } from './answered-route.ts'
import { requestIdHeader, requestIdOf } from './request-id.ts'

/**
 * Around everything else: the id of the request, what every answer carries, and one line and one measurement. The query
 * and the headers stay out of both: they may hold credentials.
 */
export function accessLog(log: Logger, metrics: HttpMetrics | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = performance.now()
    const request_id = requestIdOf(c.req.header(requestIdHeader))
    const own = log.child({ request_id })
    const headers = { [requestIdHeader]: request_id }
    c.set('request_id', request_id)
    c.set('log', own)
    c.set('answer_headers', headers)
    await next()
    const answer = withHeaders(c.res, headers)
    if (answer !== c.res) c.res = answer
    const { status } = answer
    const seconds = (performance.now() - started) / 1000
    metrics?.observe({ method: c.req.method, route: answeredRoute(c) ?? 'none', status, seconds })
    if (!own.isLevelEnabled('info')) return
    own.info(
      { method: c.req.method, path: c.req.path, status, duration_ms: Math.round(seconds * 1e5) / 100 },
      'request',
    )
  })
}
