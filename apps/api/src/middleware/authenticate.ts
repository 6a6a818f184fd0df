import { ServiceError } from '@svc/errors'
import { authenticate, type BaseContext } from '@svc/services'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { isPublic } from './public-paths.ts'

/** The token of `Authorization: Bearer <token>`; null for every other header. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null
}

export function authentication(base: Pick<BaseContext, 'db' | 'now'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (isPublic(c.req.path)) return next()
    const token = bearerToken(c.req.header('Authorization'))
    if (token === null) {
      throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
    }
    c.set('principal', await authenticate(base, token))
    return next()
  })
}
