import { requireActiveAccount } from '@svc/context'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/** Refuses the writes of the directory of a suspended account. */
export function suspensionGate() {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { ctx, principal } = c.var
    if (principal.type === 'scim') await requireActiveAccount(ctx, principal.account_id)
    await next()
  })
}
