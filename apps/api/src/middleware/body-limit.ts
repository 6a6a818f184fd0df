import { boundedRequest, limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

const withFiles = /^\/v1\/projects\/[^/]+\/channels\/[^/]+\/messages$/

/** The bytes of a body: most are JSON documents held in memory, so they are small. */
const limitOf = (path: string, type = ''): number =>
  withFiles.test(path) && /^multipart\/form-data\b/i.test(type)
    ? limits.channelUploadBytes
    : limits.jsonBodyBytes

/** Refuses a body that is too large. */
export function bodyLimit() {
  return createMiddleware<AppEnv>(async (c, next) => {
    // A webhook says first who sent it, and counts its bytes itself.
    if (c.req.path.startsWith('/v1/webhooks/')) return next()
    const max = limitOf(c.req.path, c.req.header('Content-Type'))
    const bounded = await boundedRequest(c.req.raw, max)
    if (bounded === null)
      throw new ServiceError('payload_too_large', `The body is larger than ${max} bytes; send less at once`)
    c.req.raw = bounded
    await next()
  })
}
