import { randomUUID } from 'node:crypto'
import type { Logger } from '@svc/boot'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

export const requestIdHeader = 'X-Request-Id'

const accepted = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own id when it is harmless, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && accepted.test(given) ? given : randomUUID()
}

export function requestId(log: Logger) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const request_id = requestIdOf(c.req.header(requestIdHeader))
    c.set('request_id', request_id)
    c.set('log', log.child({ request_id }))
    await next()
    c.header(requestIdHeader, request_id)
  })
}
