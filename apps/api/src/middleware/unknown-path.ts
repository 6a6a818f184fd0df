import { ServiceError } from '@svc/errors'
import type { Context, Hono } from 'hono'
import type { AppEnv } from '../parts.ts'
import { refuse } from './errors.ts'

interface KnownRoute {
  readonly method: string
  readonly pattern: RegExp
}

/** 405 with Allow for a known path, else 404. */
export function unknownPath(app: Hono<AppEnv>) {
  let routes: readonly KnownRoute[] | undefined
  return (c: Context<AppEnv>): Response => {
    routes ??= knownRoutes(app)
    const allowed = routes.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
    if (allowed.length === 0)
      return refuse(
        c,
        new ServiceError(
          'not_found',
          'There is nothing at this path; GET /v1/openapi.json lists those that there are',
        ),
      )
    const methods = [...new Set(allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)].sort()
    c.header('Allow', methods.join(', '))
    return refuse(
      c,
      new ServiceError(
        'method_not_allowed',
        `This path does not answer that method; use ${methods.join(', ')}`,
      ),
    )
  }
}

function knownRoutes(app: Hono<AppEnv>): KnownRoute[] {
  return app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[^/]+/g, '[^/]+')}$`),
    }))
}
