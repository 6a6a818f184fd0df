import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/** Answers belong to one caller and are what their Content-Type says. A route may say otherwise about caching. */
export function safeHeaders() {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cache-Control', 'no-store')
    await next()
  })
}
