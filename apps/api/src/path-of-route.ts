import { getPath } from 'hono/utils/url'

/** The path as the routes are matched with: one slash at the end of an API path says nothing. */
export function pathOfRoute(request: Request): string {
  const path = getPath(request)
  return path.endsWith('/') && /^\/(v1|scim)\/.*[^/]\/$/.test(path) ? path.slice(0, -1) : path
}
