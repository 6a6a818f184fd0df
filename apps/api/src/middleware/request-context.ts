import { newTrail } from '@svc/services'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { clientAddress, noProxy } from './client-address.ts'
import { ClientLeft } from './client-left.ts'

/** What the verbs of this request run with: who asks, and a signal that ends with the request. */
export function requestContext(base: ApiParts) {
  const isProxy = base.is_proxy ?? noProxy
  return createMiddleware<AppEnv>(async (c, next) => {
    const controller = new AbortController()
    abortWithClient(c, controller)
    c.set('controller', controller)
    const incoming = c.env?.incoming
    const trail = newTrail(c.get('request_id'), incoming ? clientAddress(incoming, isProxy) : null)
    const { signal } = controller
    // `c.var` makes an object of everything at each look.
    c.set('ctx', { ...base, log: c.get('log'), principal: c.get('principal'), signal, trail })
    await next()
  })
}

function abortWithClient(c: Context<AppEnv>, controller: AbortController): void {
  const leave = () => controller.abort(new ClientLeft())
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.once('close', () => outgoing.writableFinished || leave())
  else c.req.raw.signal.addEventListener('abort', leave, { once: true })
}
