const exact: ReadonlySet<string> = new Set([
  '/v1/health',
  '/v1/openapi.json',
  '/v1/docs',
  '/v1/oauth/authorize',
  '/v1/oauth/token',
  '/v1/oauth/register',
  '/v1/oauth/revoke',
  '/v1/connectors/oauth/callback',
  '/v1/notifications/unsubscribe',
])

/** Each of these authenticates by itself or has nothing to hide. */
const below = ['/v1/docs/', '/v1/schemas/', '/v1/webhooks/', '/v1/auth/']

/** Actions of a signed-in person on their own sign-in. */
const ofOneself: ReadonlySet<string> = new Set([
  '/v1/auth/user',
  '/v1/auth/sign-out',
  '/v1/auth/browser',
  '/v1/auth/browser/end',
  '/v1/auth/browsers',
  '/v1/auth/totp',
  '/v1/auth/totp/confirm',
  '/v1/auth/totp/disable',
])

/** One of their browsers as well, by its id. */
const isOfOneself = (path: string): boolean => ofOneself.has(path) || path.startsWith('/v1/auth/browsers/')

/** True when a path below /v1 answers without a token. */
export function isPublic(path: string): boolean {
  return exact.has(path) || (!isOfOneself(path) && below.some((prefix) => path.startsWith(prefix)))
}
