import { boundedRequest, limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/** Bodies are JSON documents held in memory, so they are small. */
export function bodyLimit() {
  return createMiddleware<AppEnv>(async (c, next) => {
    // A webhook says first who sent it, and counts its bytes itself.
    if (c.req.path.startsWith('/v1/webhooks/')) return next()
    const bounded = await boundedRequest(c.req.raw, limits.jsonBodyBytes)
    if (bounded === null) {
      throw new ServiceError('payload_too_large', `The body is larger than ${limits.jsonBodyBytes} bytes`)
    }
    c.req.raw = bounded
    await next()
  })
}
