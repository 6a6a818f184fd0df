import { recordDenial } from '@svc/context'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/** Leaves a row for every denial, in the log of the token's account. A verb writes down its changes itself. */
export function audited(action: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const { ctx } = c.var
    const target = c.req.path.slice(1)
    await recordDenial(ctx, { action, target, status: c.res.status }).catch((error: unknown) =>
      ctx.log.error({ err: error, action, target }, 'an audit event was not written'),
    )
  })
}
