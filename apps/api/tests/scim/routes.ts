import { userSchema } from '../support/scim.ts'

/** Every route of a directory, with the place of an id. */
export const routes: readonly (readonly [string, string])[] = [
  ...[
    '/ServiceProviderConfig',
    '/ResourceTypes',
    '/ResourceTypes/User',
    '/Schemas',
    `/Schemas/${userSchema}`,
  ].map((path) => ['GET', path] as const),
  ...['/Users', '/Groups'].flatMap((kind) => [
    ['GET', kind] as const,
    ['POST', kind] as const,
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `${kind}/{id}`] as const),
  ]),
  ['GET', '/Me'],
  ['POST', '/Bulk'],
]
