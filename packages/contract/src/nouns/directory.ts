import { createRoute, z } from '@hono/zod-openapi'
import { projectRoles } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { CreateToken, MintedToken, Token } from './accounts.ts'
import { body, json, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, GroupId, TokenId } from '../kit/parameters.ts'

const common = { tags: ['Directory'] }
const admins = reachedBy({ account_role: 'admin' })
const withScim = reachedBy({ account_role: 'admin', entitlement: 'scim' })
const tokens = '/v1/accounts/{account_id}/scim-tokens'
const groups = '/v1/accounts/{account_id}/groups'

const AccountParams = z.object({ account_id: AccountId })
const ScimUrl = z
  .url()
  .openapi({ description: 'The address to tell the directory, also called the tenant URL' })

const GroupProjectRole = z.object({ project_id: z.uuid(), role: z.enum(projectRoles) })

export const Group = z
  .object({
    group_id: z.uuid(),
    display_name: z.string(),
    external_id: z.string().nullable(),
    members: z.int().openapi({ description: 'How many people are in it' }),
    account_role: z.enum(['admin', 'member']),
    projects: z.array(GroupProjectRole),
    created_at: Timestamp,
  })
  .openapi('Group')

export const listScimTokens = createRoute({
  ...common,
  ...admins,
  operationId: 'listScimTokens',
  summary: 'List the tokens of the account’s directory',
  description: 'Never their secrets; and the address that the directory is told.',
  method: 'get',
  path: tokens,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ scim_url: ScimUrl, tokens: z.array(Token) }), 'The tokens, newest first'),
    ...refusals(400, 403, 404),
  },
})

export const createScimToken = createRoute({
  ...common,
  ...withScim,
  operationId: 'createScimToken',
  summary: 'Mint a token for the account’s directory',
  description: 'It reaches `/scim/v2/accounts/{account_id}` and nothing else.',
  method: 'post',
  path: tokens,
  request: { params: AccountParams, body: body(CreateToken) },
  responses: {
    201: json(MintedToken.extend({ scim_url: ScimUrl }).openapi('MintedScimToken'), 'The token'),
    ...refusals(400, 402, 403, 404, 415),
  },
})

export const revokeScimToken = createRoute({
  ...common,
  ...admins,
  operationId: 'revokeScimToken',
  summary: 'Revoke a token of the account’s directory',
  description: 'It is of no use from the next request on.',
  method: 'delete',
  path: `${tokens}/{token_id}`,
  request: { params: AccountParams.extend({ token_id: TokenId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})

export const listGroups = createRoute({
  ...common,
  ...admins,
  operationId: 'listGroups',
  summary: 'List the groups of the account’s directory',
  description: 'With the roles that each of them gives to the people in it.',
  method: 'get',
  path: groups,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ groups: z.array(Group) }), 'Oldest first'),
    ...refusals(400, 403, 404),
  },
})

export const setGroupRoles = createRoute({
  ...common,
  ...withScim,
  operationId: 'setGroupRoles',
  summary: 'Say which roles a group of the directory gives',
  description:
    'Instead of those that it gave. A role that a person was given by hand stays, and counts where they have one.',
  method: 'put',
  path: `${groups}/{group_id}/roles`,
  request: {
    params: AccountParams.extend({ group_id: GroupId }),
    body: body(
      z
        .strictObject({
          account_role: z.enum(['admin', 'member']).default('member'),
          projects: z
            .array(GroupProjectRole.strict())
            .max(200)
            .default([])
            .refine(
              (given) => new Set(given.map(({ project_id }) => project_id)).size === given.length,
              'names a project twice',
            ),
        })
        .openapi('SetGroupRoles', { example: examples.setGroupRoles }),
    ),
  },
  responses: { 200: json(Group, 'The group'), ...refusals(400, 402, 403, 404, 415) },
})
