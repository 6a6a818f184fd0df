import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId } from '../kit/parameters.ts'

const AccountParams = z.object({ account_id: AccountId })
const rules = '/v1/accounts/{account_id}/sign-in-rules'

export const SignInRules = z
  .object({ mfa_required: z.boolean() })
  .openapi('SignInRules', { example: examples.setSignInRules })

export const getSignInRules = createRoute({
  tags: ['Accounts and tokens'],
  ...reachedBy({ account_role: 'member' }),
  operationId: 'getSignInRules',
  summary: 'What the account asks of sign-ins',
  description: 'For every member of the account.',
  method: 'get',
  path: rules,
  request: { params: AccountParams },
  responses: { 200: json(SignInRules, 'The rules'), ...refusals(400, 403, 404) },
})

export const setSignInRules = createRoute({
  tags: ['Accounts and tokens'],
  ...reachedBy({ account_role: 'admin' }),
  operationId: 'setSignInRules',
  summary: 'Ask for a second factor of every sign-in',
  description:
    'A sign-in that lacks it gets 403 `account_mfa_required` from the next request on. The person who asks for it must have it turned on first (409).',
  method: 'put',
  path: rules,
  request: {
    params: AccountParams,
    body: body(SignInRules.strict().openapi('SetSignInRules', { example: examples.setSignInRules })),
  },
  responses: { 200: json(SignInRules, 'The rules'), ...refusals(400, 403, 404, 409, 415) },
})
