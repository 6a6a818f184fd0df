import { ServiceError } from '@svc/errors'
import { bearerToken } from '@svc/facts'
import { authenticateDirectory } from '@svc/identity'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'

/** Every route below `/scim` asks for a token of a directory. */
export function directoryAuthentication(base: Pick<ApiParts, 'db' | 'now'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const token = bearerToken(c.req.header('Authorization'))
    if (token === null)
      throw new ServiceError(
        'unauthorized',
        'This needs a token of a directory: Authorization: Bearer svc_scim_…',
      )
    c.set('principal', await authenticateDirectory(base, token))
    return next()
  })
}
