import { authenticate, authenticateBrowser } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { bearerToken } from '@svc/facts'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { browserCredential } from './browser-credential.ts'
import { isPublic } from './public-paths.ts'

/** The paths open to an app that may only know who the person is. */
const withoutScope: ReadonlySet<string> = new Set(['/v1/accounts/me', '/v1/oauth/userinfo'])

/** The caller of a bearer token, which wins, or of a signed-in browser. */
export function authentication(base: Pick<ApiParts, 'db' | 'now' | 'settings' | 'trust_proxy'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (isPublic(c.req.path)) return next()
    const header = c.req.header('Authorization')
    const browser = header === undefined ? browserCredential(c, base) : null
    if (browser !== null) {
      c.set('principal', await authenticateBrowser(base, browser))
      c.set('credential', browser.cookie)
      return next()
    }
    const token = bearerToken(header)
    if (token === null) {
      throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
    }
    const any_scope = withoutScope.has(c.req.path)
    c.set('principal', await authenticate(base, token, { any_scope }))
    c.set('credential', token)
    return next()
  })
}
