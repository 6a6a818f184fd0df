import { cors } from 'hono/cors'

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

/** What every answer carries, for routes that the framework does not serve. */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(','),
} as const

/**
 * Pages of every origin may call the API: a caller is its bearer token, which no browser sends by itself, and cookies
 * are neither asked for nor accepted. The pages of the authorization server, the git origin and sandboxes are apart.
 */
export function crossOrigin() {
  return cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: exposed,
    // As long as any browser keeps it.
    maxAge: 7_200,
  })
}
