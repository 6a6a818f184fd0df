import { createRoute, z } from '@hono/zod-openapi'
import { entitlements } from '@svc/access'
import { maxMicros, planBillings, planGateways, tierPattern } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, PlanTier } from '../kit/parameters.ts'
import { LedgerEntry, platformSpendGroups } from '../money/records.ts'
import { spendRoute } from '../money/routes.ts'

const operators = { platform_admin: true } as const
const common = { tags: ['Plans and credit'], ...reachedBy(operators) }
const base = '/v1/admin/plans'
const TierParams = z.object({ tier: PlanTier })

/** The name of a plan, in a body or a query. */
export const Tier = z.string().regex(tierPattern, 'must be the name of a plan')

const row = {
  entitlements: z
    .array(z.enum(entitlements))
    .refine((list) => new Set(list).size === list.length, 'must name each one once'),
  session_cap: z
    .int()
    .min(1)
    .max(100_000)
    .openapi({ description: 'Live sessions at a time, unless deployment or account say otherwise' }),
  gateway: z.enum(planGateways).openapi({
    description: 'No models, those of own keys alone, or the operator’s too',
  }),
  billing: z
    .enum(planBillings)
    .openapi({ description: '`credit`: the account’s credit pays the operator’s models' }),
  monthly_credit_micros: z
    .int()
    .min(0)
    .max(maxMicros)
    .openapi({ description: 'Granted with the first call of a month, in micro-dollars' }),
  markup_percent: z
    .int()
    .min(0)
    .max(1000)
    .openapi({ description: 'Added to the cost of a call that the credit pays' }),
}

export const Plan = z.object({ tier: z.string(), ...row }).openapi('Plan')

export const listPlans = createRoute({
  ...common,
  operationId: 'listPlans',
  summary: 'List the plans that accounts may have',
  description: 'Four are built in; an operator may change them and add others.',
  method: 'get',
  path: base,
  responses: {
    200: json(z.object({ plans: z.array(Plan) }), 'The plans, the smallest first'),
    ...refusals(403),
  },
})

export const putPlan = createRoute({
  ...common,
  operationId: 'putPlan',
  summary: 'Make a plan, or change one',
  description: 'The whole row. It holds for its accounts from the next request on.',
  method: 'put',
  path: `${base}/{tier}`,
  request: {
    params: TierParams,
    body: body(z.strictObject(row).openapi('PutPlan', { example: examples.putPlan })),
  },
  responses: { 200: json(Plan, 'The plan'), ...refusals(400, 403, 415) },
})

export const deletePlan = createRoute({
  ...common,
  operationId: 'deletePlan',
  summary: 'Remove a plan',
  description: 'One that is built in, or that an account has, is 409 `conflict`.',
  method: 'delete',
  path: `${base}/{tier}`,
  request: { params: TierParams },
  responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
})

export const addCredit = createRoute({
  ...common,
  operationId: 'addCredit',
  summary: 'Add to the credit of an account, or take from it',
  description:
    'The first entry makes the credit. Above zero it is a `grant`, below an `adjustment`. The same `idempotency_key` again ' +
    'answers 200 with the entry that is there; with another amount 409 `IDEMPOTENCY_KEY_CONFLICT`.',
  method: 'post',
  path: '/v1/admin/accounts/{account_id}/credit',
  request: {
    params: z.object({ account_id: AccountId }),
    body: body(
      z
        .strictObject({
          amount_micros: z
            .int()
            .min(-maxMicros)
            .max(maxMicros)
            .refine((amount) => amount !== 0, 'must not be 0')
            .openapi({ description: 'Micro-dollars; below zero to take' }),
          reason: text(500).min(1).openapi({ description: 'For the account’s admins, in its ledger' }),
          idempotency_key: text(200).min(1).optional(),
        })
        .openapi('AddCredit', { example: examples.addCredit }),
    ),
  },
  responses: {
    201: json(LedgerEntry, 'The entry'),
    200: json(LedgerEntry, 'The entry that the key had made before'),
    ...refusals(400, 403, 404, 409, 415),
  },
})

export const getPlatformGatewaySpend = spendRoute({
  base: '/v1/admin/gateway',
  params: {},
  tag: 'Plans and credit',
  word: 'Platform',
  of: 'the platform',
  read: operators,
  groups: platformSpendGroups,
})
