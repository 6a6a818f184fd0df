import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId } from '../kit/parameters.ts'

const common = { tags: ['Accounts and tokens'] }
const AccountParams = z.object({ account_id: AccountId })

export const KeyRules = z
  .object({
    expiry_required: z.boolean(),
    max_days: z.int().min(1).max(3650).nullable(),
  })
  .openapi('KeyRules', { example: examples.setKeyRules })

export const getKeyRules = createRoute({
  ...common,
  ...reachedBy({ account_role: 'member' }),
  operationId: 'getKeyRules',
  summary: 'What the account asks of new keys',
  description: 'For every member of the account.',
  method: 'get',
  path: '/v1/accounts/{account_id}/key-rules',
  request: { params: AccountParams },
  responses: { 200: json(KeyRules, 'The rules'), ...refusals(400, 403, 404) },
})

export const setKeyRules = createRoute({
  ...common,
  ...reachedBy({ account_role: 'admin' }),
  operationId: 'setKeyRules',
  summary: 'Ask for an expiry of every new key, or for one within so many days',
  description: 'They are asked of keys that are made from then on.',
  method: 'put',
  path: '/v1/accounts/{account_id}/key-rules',
  request: {
    params: AccountParams,
    body: body(KeyRules.strict().openapi('SetKeyRules', { example: examples.setKeyRules })),
  },
  responses: { 200: json(KeyRules, 'The rules'), ...refusals(400, 403, 404, 415) },
})
