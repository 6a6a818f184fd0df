import { createMiddleware } from 'hono/factory'
import { addressOf } from '../door/client-address.ts'
import { requestIdHeader } from '../door/request-id.ts'
import { beginVisit } from '../door/visit.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import { withHeaders } from './answer-headers.ts'
import { answeredRoute } from './answered-route.ts'

/**
 * Around everything else: the id of the request, what every answer carries, and one line and one measurement. The query
 * and the headers stay out of both: they may hold credentials.
 */
export function accessLog(parts: Pick<ApiParts, 'log' | 'metrics' | 'tracing' | 'is_proxy'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { method, path } = c.req
    const request_id = c.req.header(requestIdHeader)
    const visit = beginVisit(parts, {
      method,
      path,
      request_id,
      ip: addressOf(c, parts.is_proxy),
      traceparent: c.req.header('traceparent'),
    })
    const headers = { [requestIdHeader]: visit.request_id }
    c.set('visit', visit)
    c.set('answer_headers', headers)
    await next()
    const answer = withHeaders(c.res, headers)
    if (answer !== c.res) c.res = answer
    visit.ended({ route: answeredRoute(c) ?? 'none', status: answer.status })
  })
}
