import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/** Clients that always send a Content-Type mean no body by an empty one, not malformed JSON. */
export function emptyBody() {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header('Content-Type') !== undefined && isEmpty(c)) {
      const headers = new Headers(c.req.raw.headers)
      headers.delete('Content-Type')
      c.req.raw = new Request(c.req.url, { method: c.req.method, headers })
    }
    await next()
  })
}

/** On a socket the headers tell; a request made in this process has a body or has none. */
function isEmpty(c: Context<AppEnv>): boolean {
  if (!c.env?.incoming) return c.req.raw.body === null
  const length = c.req.header('Content-Length')
  return length === '0' || (length === undefined && c.req.header('Transfer-Encoding') === undefined)
}
