import type { BaseContext } from '@svc/services'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { ClientLeft } from './client-left.ts'

/** What the verbs of this request run with: who asks, and a signal that ends with the request. */
export function requestContext(base: BaseContext) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const controller = new AbortController()
    abortWithClient(c, controller)
    c.set('controller', controller)
    c.set('ctx', { ...base, log: c.var.log, principal: c.var.principal, signal: controller.signal })
    await next()
  })
}

function abortWithClient(c: Context<AppEnv>, controller: AbortController): void {
  const leave = () => controller.abort(new ClientLeft())
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.once('close', () => outgoing.writableFinished || leave())
  else c.req.raw.signal.addEventListener('abort', leave, { once: true })
}
