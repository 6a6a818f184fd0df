import type { Operation } from './operations.ts'
import type { TestPlatform } from './platform.ts'

interface Served {
  readonly route: string
  readonly access: unknown
}

/** The routes of a document of the API, as an admin reads it, with the rule that each publishes. */
export async function published(platform: TestPlatform, path: string): Promise<Served[]> {
  const { body } = await platform.call(path, { token: platform.owner.token })
  const paths: Record<string, Record<string, Record<string, unknown>>> = Object(body).paths
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-svc-access': access }]) => ({
      route: `${method.toUpperCase()} ${path}`,
      access,
    })),
  )
  return routes.sort(byRoute)
}

const byRoute = (a: Served, b: Served) => (a.route < b.route ? -1 : 1)

/** The same of the contract. */
export const stated = (routes: readonly Pick<Operation, 'method' | 'path' | 'access'>[]) =>
  routes
    .map(({ method, path, access }) => ({ route: `${method.toUpperCase()} ${path}`, access }))
    .sort(byRoute)
