import { recordDenial } from '@svc/context'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { askedOperation } from './asked-operation.ts'

/**
 * The operation that the request asks for; undefined for one that the log does not know: deliveries to webhooks have
 * a log of their own.
 */
export function auditedAction(c: Context<AppEnv>): string | undefined {
  const operation = askedOperation(c)
  const access = operation?.access ?? null
  return access === null || 'public' in access ? undefined : operation?.name
}

/** Leaves a row for every denial, once the answer is known and before it is sent. The verbs write down the changes. */
export function auditLog() {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.get('principal') === undefined) return
    const action = auditedAction(c)
    if (action === undefined) return
    const ctx = c.get('ctx')
    const target = c.req.path.replace(/^\/v1\//, '')
    // A log that cannot be written now is told to the operator; the caller is refused all the same.
    await recordDenial(ctx, { action, target, status: c.res.status }).catch((error: unknown) =>
      ctx.log.error({ err: error, action, target }, 'an audit event was not written'),
    )
  })
}
