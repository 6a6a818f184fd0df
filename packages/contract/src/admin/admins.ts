import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { UserId } from '../kit/parameters.ts'

const common = { tags: ['Platform admins'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/admins'
const AdminParams = z.object({ user_id: UserId })

export const PlatformAdmin = z
  .object({ user_id: z.uuid(), email: z.string(), name: z.string(), since: Timestamp })
  .openapi('PlatformAdmin')

export const listPlatformAdmins = createRoute({
  ...common,
  operationId: 'listPlatformAdmins',
  summary: 'List the people who run the platform',
  description: 'The longest standing first.',
  method: 'get',
  path: base,
  responses: {
    200: json(z.object({ admins: z.array(PlatformAdmin) }).openapi('PlatformAdmins'), 'All of them'),
    ...refusals(403),
  },
})

export const addPlatformAdmin = createRoute({
  ...common,
  operationId: 'addPlatformAdmin',
  summary: 'Add a platform admin by their address',
  description: 'The person must have proved the address. A repeat answers 200.',
  method: 'post',
  path: base,
  request: {
    body: body(
      z
        .strictObject({ email: text(320).min(3) })
        .openapi('AddPlatformAdmin', { example: examples.addPlatformAdmin }),
    ),
  },
  responses: {
    200: json(PlatformAdmin, 'An admin already'),
    201: json(PlatformAdmin, 'Added'),
    ...refusals(400, 403, 404, 415),
  },
})

export const setPlatformAdmin = createRoute({
  ...common,
  operationId: 'setPlatformAdmin',
  summary: 'Make a person a platform admin',
  description: 'A repeat changes nothing.',
  method: 'put',
  path: `${base}/{user_id}`,
  request: { params: AdminParams },
  responses: { 200: json(PlatformAdmin, 'An admin'), ...refusals(400, 403, 404) },
})

export const removePlatformAdmin = createRoute({
  ...common,
  operationId: 'removePlatformAdmin',
  summary: 'Remove a platform admin',
  description:
    'The last one stays: 409 `LAST_PLATFORM_ADMIN`. A person of `SVC_PLATFORM_ADMINS` is one again after their next sign-in.',
  method: 'delete',
  path: `${base}/{user_id}`,
  request: { params: AdminParams },
  responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
})
