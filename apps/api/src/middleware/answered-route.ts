import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../parts.ts'

/** The pattern of the route that answered: of several that match, the one that was registered first. */
export function answeredRoute(c: Context<AppEnv>): string | undefined {
  return matchedRoutes(c).find(({ path }) => !path.includes('*'))?.path
}
