import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { CreateToken, MintedToken, Token } from './accounts.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, ServiceAccountId, TokenId } from '../kit/parameters.ts'

const common = { tags: ['Members and service accounts'] }
const base = '/v1/accounts/{account_id}/service-accounts'
const rule = reachedBy({ account_role: 'admin' })

const AccountParams = z.object({ account_id: AccountId })
const ServiceAccountParams = AccountParams.extend({ service_account_id: ServiceAccountId })

export const ServiceAccount = z
  .object({
    service_account_id: z.uuid().openapi({ description: 'Also the `user_id` to assign a role to' }),
    account_id: z.uuid(),
    name: z.string(),
    created_by: z.uuid(),
    created_at: Timestamp,
  })
  .openapi('ServiceAccount')

export const listServiceAccounts = createRoute({
  ...common,
  ...rule,
  operationId: 'listServiceAccounts',
  summary: 'List service accounts',
  description: 'For the admins of the account.',
  method: 'get',
  path: base,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ service_accounts: z.array(ServiceAccount) }), 'By name'),
    ...refusals(400, 403, 404),
  },
})

export const createServiceAccount = createRoute({
  ...common,
  ...rule,
  operationId: 'createServiceAccount',
  summary: 'Create a service account',
  description: 'It has no access until a role on a project is assigned to it.',
  method: 'post',
  path: base,
  request: {
    params: AccountParams,
    body: body(
      z
        .strictObject({ name: text(100).min(1) })
        .openapi('CreateServiceAccount', { example: examples.createServiceAccount }),
    ),
  },
  responses: { 201: json(ServiceAccount, 'Created'), ...refusals(400, 403, 404, 415) },
})

export const deleteServiceAccount = createRoute({
  ...common,
  ...rule,
  operationId: 'deleteServiceAccount',
  summary: 'Delete a service account: its keys end at once',
  description: 'What it did stays in the audit log.',
  method: 'delete',
  path: `${base}/{service_account_id}`,
  request: { params: ServiceAccountParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 403, 404) },
})

export const listServiceAccountKeys = createRoute({
  ...common,
  ...rule,
  operationId: 'listServiceAccountKeys',
  summary: 'List the keys of a service account',
  description: 'Never their secrets: `prefix` is what to recognise one by.',
  method: 'get',
  path: `${base}/{service_account_id}/keys`,
  request: { params: ServiceAccountParams },
  responses: { 200: json(z.object({ tokens: z.array(Token) }), 'The keys'), ...refusals(400, 403, 404) },
})

export const createServiceAccountKey = createRoute({
  ...common,
  ...rule,
  operationId: 'createServiceAccountKey',
  summary: 'Mint a key of a service account',
  description:
    'The secret is in this answer and never again. The key rules of the account hold: 400 `expiry_required` or `expiry_too_far`.',
  method: 'post',
  path: `${base}/{service_account_id}/keys`,
  request: { params: ServiceAccountParams, body: body(CreateToken) },
  responses: { 201: json(MintedToken, 'The key'), ...refusals(400, 403, 404, 415) },
})

export const revokeServiceAccountKey = createRoute({
  ...common,
  ...rule,
  operationId: 'revokeServiceAccountKey',
  summary: 'Revoke a key of a service account',
  description: 'It is of no use from the next request on.',
  method: 'delete',
  path: `${base}/{service_account_id}/keys/{token_id}`,
  request: { params: ServiceAccountParams.extend({ token_id: TokenId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})
