import { newTrail, recordRefusal } from '@svc/context'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { addressOf } from '../door/client-address.ts'

/** Leaves a row for every known credential that the authentication after it refuses: no route has been reached then. */
export function refusedCredentials(parts: ApiParts, actionOf: (c: Context<AppEnv>) => string | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.error === undefined || c.get('principal') !== undefined) return
    const { request_id, log } = c.get('visit')
    const trail = newTrail(request_id, addressOf(c, parts.is_proxy))
    const target = c.req.path.replace(/^\/(v1\/)?/, '')
    await recordRefusal({ ...parts, log }, c.error, {
      ...{ action: actionOf(c) ?? 'authenticate', target, trail },
    })
  })
}
