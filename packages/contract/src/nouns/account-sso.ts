import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId } from '../kit/parameters.ts'

const tags = ['Single sign-on']
const path = '/v1/accounts/{account_id}/sso'
const AccountParams = z.object({ account_id: AccountId })

const DefaultRole = z
  .enum(['admin', 'member'])
  .openapi({ description: 'The role of a person who joins the account by it' })
const Enforced = z.boolean().openapi({
  description: 'Whether people of the account’s verified domains sign in this way alone',
})

/** The provider as it is set, and never its secret. */
export const AccountSso = z
  .object({
    issuer: z.string(),
    client_id: z.string(),
    enforced: Enforced,
    default_role: DefaultRole,
    redirect_uri: z.string().openapi({ description: 'To register at the provider' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('AccountSso')

export const getAccountSso = createRoute({
  tags,
  ...reachedBy({ account_role: 'admin' }),
  operationId: 'getAccountSso',
  summary: 'The OpenID provider of the account',
  description: 'Without the secret, which no answer ever holds.',
  method: 'get',
  path,
  request: { params: AccountParams },
  responses: { 200: json(AccountSso, 'The provider'), ...refusals(400, 403, 404) },
})

export const setAccountSso = createRoute({
  tags,
  ...reachedBy({ account_role: 'owner', entitlement: 'sso' }),
  operationId: 'setAccountSso',
  summary: 'Let people of the account’s domains sign in at its own OpenID provider',
  description:
    'The issuer is asked at once: 422 `issuer_not_usable` with a `reason` when it does not answer as it should. The secret may be left out as long as issuer and client stay; others end the sign-ins that came by the former. `enforced` closes every other way for people of the verified domains, but for owners with two-factor; only such an owner sets it (409).',
  method: 'put',
  path,
  request: {
    params: AccountParams,
    body: body(
      z
        .strictObject({
          issuer: text(1024).min(1),
          client_id: text(255).min(1),
          client_secret: text(1024).min(1).optional(),
          enforced: Enforced.default(false),
          default_role: DefaultRole.default('member'),
        })
        .openapi('SetAccountSso', { example: examples.setAccountSso }),
    ),
  },
  responses: { 200: json(AccountSso, 'The provider'), ...refusals(400, 402, 403, 404, 409, 415, 422) },
})

export const deleteAccountSso = createRoute({
  tags,
  ...reachedBy({ account_role: 'owner' }),
  operationId: 'deleteAccountSso',
  summary: 'Do without a provider of the account’s own',
  description: 'People sign in as without it; the sign-ins that came by it end.',
  method: 'delete',
  path,
  request: { params: AccountParams },
  responses: { 204: { description: 'Gone' }, ...refusals(400, 403, 404) },
})
