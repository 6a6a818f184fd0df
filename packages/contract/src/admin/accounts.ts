import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { flagsOf } from '../kit/flags.ts'
import { AccountId } from '../kit/parameters.ts'
import { balance, billing_state, Micros } from '../money/records.ts'
import { Plan, Tier as tier } from './plans.ts'

const common = { tags: ['Operated accounts'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/accounts'
const AccountParams = z.object({ account_id: AccountId })
const limit = z.int().min(0).max(2_147_483_647).nullable()

export const OperatedAccount = z
  .object({
    account_id: z.uuid(),
    name: z.string(),
    tier: z.string(),
    plan: Plan,
    billing_state,
    balance,
    month_cost_micros: Micros.min(0).openapi({ description: 'What its calls of this month cost, in UTC' }),
    members: z.int(),
    projects: z.int(),
    live_sessions: z.int(),
    limits: z.object({ live_sessions: limit, projects: limit, storage_mb: limit }).openapi({
      description: 'Those of an operator for this account; null falls back to the deployment and the plan',
    }),
    features: z
      .record(z.string(), z.boolean().nullable())
      .openapi({ description: 'Decided for all of its projects; null leaves it to the platform' }),
    suspended_at: Timestamp.nullable(),
    suspended_reason: z.string().nullable(),
    created_at: Timestamp,
  })
  .openapi('OperatedAccount')

export const listAllAccounts = createRoute({
  ...common,
  operationId: 'listAllAccounts',
  summary: 'List every account, by name',
  description: 'What it has and what it may have, and nothing of what is in it.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      q: text(320).min(1).optional().openapi({
        description: 'An account’s id, a part of its name, or the address of a member',
      }),
      tier: tier.optional().openapi({ description: 'Only those of this plan' }),
    }),
  },
  responses: {
    200: json(
      z
        .object({ accounts: z.array(OperatedAccount), next_cursor: z.string().nullable() })
        .openapi('OperatedAccountPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

export const getOperatedAccount = createRoute({
  ...common,
  operationId: 'getOperatedAccount',
  summary: 'Get an account',
  description: 'As the list has it.',
  method: 'get',
  path: `${base}/{account_id}`,
  request: { params: AccountParams },
  responses: { 200: json(OperatedAccount, 'The account'), ...refusals(400, 403, 404) },
})

export const updateOperatedAccount = createRoute({
  ...common,
  operationId: 'updateOperatedAccount',
  summary: 'Change the plan, the limits or the billing of an account, suspend or resume it',
  description:
    'What is left out stays. In a suspended account reading works and everything else is 403 `account_suspended` with the ' +
    'reason; its sandboxes are saved and stopped, and its triggers record `missed`. Your own account is 409.',
  method: 'patch',
  path: `${base}/{account_id}`,
  request: {
    params: AccountParams,
    body: body(
      z
        .strictObject({
          tier: tier.optional(),
          limits: z
            .strictObject({
              live_sessions: limit.optional(),
              projects: limit.optional(),
              storage_mb: limit.optional(),
            })
            .optional()
            .openapi({ description: 'null falls back; 0 lets it have none' }),
          billing_state: z.enum(['active', 'past_due', 'canceled']).optional().openapi({
            description:
              'Whether its credit pays; 409 without credit. With nothing left, `active` is `exhausted`',
          }),
          suspended: z.boolean().optional(),
          suspended_reason: text(500)
            .min(1)
            .nullable()
            .optional()
            .openapi({ description: 'Told to those who are refused' }),
        })
        .openapi('UpdateOperatedAccount', { example: examples.updateOperatedAccount }),
    ),
  },
  responses: { 200: json(OperatedAccount, 'As it is now'), ...refusals(400, 403, 404, 409, 415) },
})

export const setAccountFeatures = createRoute({
  ...common,
  operationId: 'setAccountFeatures',
  summary: 'Switch features on or off for the projects of an account',
  description:
    'A project’s own decision goes before this, and this before the platform’s default, which null goes back to. ' +
    '`model_gateway` is opted into by each project alone.',
  method: 'patch',
  path: `${base}/{account_id}/features`,
  request: {
    params: AccountParams,
    body: body(
      z
        .strictObject(flagsOf(() => z.boolean().nullable().optional()))
        .openapi('SetAccountFeatures', { example: examples.setAccountFeatures }),
    ),
  },
  responses: { 200: json(OperatedAccount, 'As it is now'), ...refusals(400, 403, 404, 415) },
})
