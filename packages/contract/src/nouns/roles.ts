import { createRoute, z } from '@hono/zod-openapi'
import { projectRoles } from '@svc/access'
import { capabilities } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ProjectMember } from './members.ts'
import { AccountId, RoleId } from '../kit/parameters.ts'

const common = { tags: ['Members and service accounts'] }
const roles = '/v1/accounts/{account_id}/roles'
const admins = reachedBy({ account_role: 'admin' })
const withRbac = reachedBy({ account_role: 'admin', entitlement: 'rbac' })

const AccountParams = z.object({ account_id: AccountId })
const RoleParams = AccountParams.extend({ role_id: RoleId })
const Capabilities = z.array(z.enum(capabilities)).max(capabilities.length)

export const Role = z
  .object({
    role_id: z.uuid().nullable().openapi({ description: 'Null for a built-in role' }),
    name: z.string(),
    base_role: z.enum(projectRoles),
    capabilities: Capabilities.openapi({ description: 'What it adds to `base_role`; all of a built-in one' }),
    built_in: z.boolean(),
  })
  .openapi('Role')

const CustomRole = z
  .strictObject({
    name: text(100).refine((value) => value.trim().length > 0, 'must not be blank'),
    base_role: z.enum(projectRoles),
    capabilities: Capabilities.openapi({ description: 'What it adds to `base_role`' }),
  })
  .openapi('CustomRole', { example: examples.customRole })

export const listRoles = createRoute({
  ...common,
  ...reachedBy({ account_role: 'member' }),
  operationId: 'listRoles',
  summary: 'List the roles that can be given on projects',
  description: 'The built-in ones and the custom ones of the account. For every member of the account.',
  method: 'get',
  path: roles,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ roles: z.array(Role) }), 'Built-in, then custom'),
    ...refusals(400, 403, 404),
  },
})

export const createRole = createRoute({
  ...common,
  ...withRbac,
  operationId: 'createRole',
  summary: 'Create a custom role',
  description: 'A built-in role and what it adds to it. What only people hold stays with people.',
  method: 'post',
  path: roles,
  request: { params: AccountParams, body: body(CustomRole) },
  responses: { 201: json(Role, 'Created'), ...refusals(400, 402, 403, 404, 409, 415) },
})

export const updateRole = createRoute({
  ...common,
  ...withRbac,
  operationId: 'updateRole',
  summary: 'Replace a custom role; it holds from the next request on',
  description: 'All of it is replaced. What only people hold stays with people.',
  method: 'put',
  path: `${roles}/{role_id}`,
  request: { params: RoleParams, body: body(CustomRole) },
  responses: { 200: json(Role, 'Replaced'), ...refusals(400, 402, 403, 404, 409, 415) },
})

export const deleteRole = createRoute({
  ...common,
  ...withRbac,
  operationId: 'deleteRole',
  summary: 'Delete a custom role; its members keep its base role',
  description: 'What it added to the base role ends with the next request.',
  method: 'delete',
  path: `${roles}/{role_id}`,
  request: { params: RoleParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 402, 403, 404) },
})

export const listAssignments = createRoute({
  ...common,
  ...admins,
  operationId: 'listAssignments',
  summary: 'List who has which role on which project of the account',
  description: 'People and service accounts, on every project of the account.',
  method: 'get',
  path: '/v1/accounts/{account_id}/assignments',
  request: { params: AccountParams },
  responses: {
    200: json(
      z.object({
        assignments: z.array(ProjectMember.extend({ project_id: z.uuid() }).openapi('Assignment')),
      }),
      'The assignments',
    ),
    ...refusals(400, 403, 404),
  },
})
