import { callApproval, reviewApproval } from '@svc/connectors'
import { newTrail } from '@svc/context'
import { rateHeaders } from '@svc/errors'
import { causedBy } from '@svc/queue'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { addressOf } from '../door/client-address.ts'
import { ClientLeft } from '../door/client-left.ts'
import { isRead } from '../door/known-method.ts'
import { connectorParts } from '../routes/connector-parts.ts'
import { RequestEnd } from './request-end.ts'

/** The context that the verbs of this request run with: the caller, and a signal that ends with the request. */
export function requestContext(base: ApiParts) {
  const inbox_approvals = { review: reviewApproval, approval: callApproval(connectorParts(base)) }
  return createMiddleware<AppEnv>((c, next) => {
    const end = new RequestEnd()
    endWithClient(c, end)
    c.set('end', end)
    const visit = c.get('visit')
    const principal = c.get('principal')
    const trail = newTrail(visit.request_id, addressOf(c, base.is_proxy), isRead(c.req.method))
    Object.assign(visit.caller, { principal, trail })
    c.set('ctx', {
      ...base,
      inbox_approvals,
      principal,
      trail,
      report_rate: (state) => Object.assign(c.get('answer_headers'), rateHeaders(state)),
      traceparent: visit.cause.traceparent,
      enqueue: causedBy(base.enqueue, visit.cause),
      get log() {
        return visit.log
      },
      get signal() {
        return end.signal
      },
    })
    return next()
  })
}

function endWithClient(c: Context<AppEnv>, end: RequestEnd): void {
  const leave = () => end.abort(new ClientLeft())
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.once('close', () => outgoing.writableFinished || leave())
  else c.req.raw.signal.addEventListener('abort', leave, { once: true })
}
