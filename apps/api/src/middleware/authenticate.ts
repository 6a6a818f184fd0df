import { authenticate, type BaseContext } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { isPublic } from './public-paths.ts'

/** The token of `Authorization: Bearer <token>`; null for every other header. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** The paths open to an app that may only know who the person is. */
const withoutScope: ReadonlySet<string> = new Set(['/v1/accounts/me', '/v1/oauth/userinfo'])

export function authentication(base: Pick<BaseContext, 'db' | 'now'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (isPublic(c.req.path)) return next()
    const token = bearerToken(c.req.header('Authorization'))
    if (token === null) {
      throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
    }
    const any_scope = withoutScope.has(c.req.path)
    c.set('principal', await authenticate(base, token, { any_scope }))
    return next()
  })
}
