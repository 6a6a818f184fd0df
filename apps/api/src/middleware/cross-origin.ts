import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'

const exposed = [
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'X-Next-Cursor',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]

/** The headers of the answer to a page of another origin; such a page sends `Origin`. */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(','),
} as const

/**
 * Pages of every origin may call the API: a caller is its bearer token, which no browser sends by itself, and cookies
 * are neither asked for nor accepted. The pages of the authorization server, the git origin and sandboxes are apart.
 * Here is the question that a browser asks ahead; `safeHeaders` adds the headers of the answers.
 */
export function crossOrigin() {
  const ahead = cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: exposed,
    // As long as any browser keeps it.
    maxAge: 7_200,
  })
  return createMiddleware((c, next) => (c.req.method === 'OPTIONS' ? ahead(c, next) : next()))
}
