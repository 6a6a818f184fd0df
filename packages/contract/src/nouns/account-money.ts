import { createRoute, z } from '@hono/zod-openapi'
import { entitlements } from '@svc/access'
import { planBillings, planGateways } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals } from '../kit/common.ts'
import { AccountId } from '../kit/parameters.ts'
import { accountSpendGroups, balance, billing_state, LedgerEntry, Micros } from '../money/records.ts'
import { budgetRoutes, spendRoute } from '../money/routes.ts'

const admins = { account_role: 'admin' } as const
const AccountParams = z.object({ account_id: AccountId })

const place = {
  base: '/v1/accounts/{account_id}/gateway',
  params: { account_id: AccountId },
  tag: 'Spend',
  word: 'Account',
  of: 'an account',
  read: admins,
  write: admins,
} as const

export const {
  list: listAccountGatewayBudgets,
  create: createAccountGatewayBudget,
  update: updateAccountGatewayBudget,
  remove: deleteAccountGatewayBudget,
} = budgetRoutes({
  ...place,
  levels: 'Of the whole account, or of each of its projects by itself.',
})

export const getAccountGatewaySpend = spendRoute({ ...place, groups: accountSpendGroups })

const billing = '/v1/accounts/{account_id}/billing'

export const Billing = z
  .object({
    account_id: z.uuid(),
    tier: z.string(),
    entitlements: z.array(z.enum(entitlements)),
    gateway: z.enum(planGateways).openapi({
      description: 'Models that its projects may ask: none, those of their own keys, or the operator’s too',
    }),
    billing: z.enum(planBillings).openapi({ description: 'How the operator’s models are paid' }),
    billing_state,
    balance,
    held: Micros.min(0).nullable().openapi({ description: 'Held of the credit by calls that run' }),
    session_cap: z.int(),
  })
  .openapi('Billing')

export const getBilling = createRoute({
  tags: ['Spend'],
  ...reachedBy(admins),
  operationId: 'getBilling',
  summary: 'The plan of an account, and its credit',
  description: 'Calls of the operator’s models are paid by the credit where the plan says `credit`.',
  method: 'get',
  path: billing,
  request: { params: AccountParams },
  responses: { 200: json(Billing, 'The plan and the credit'), ...refusals(400, 403, 404) },
})

export const listCreditLedger = createRoute({
  tags: ['Spend'],
  ...reachedBy(admins),
  operationId: 'listCreditLedger',
  summary: 'List what was added to the credit and taken from it, the newest first',
  description: 'The sum of all entries is the balance.',
  method: 'get',
  path: `${billing}/ledger`,
  request: { params: AccountParams, query: PageQuery },
  responses: {
    200: json(
      z
        .object({ entries: z.array(LedgerEntry), next_cursor: z.string().nullable() })
        .openapi('CreditLedgerPage'),
      'One page',
    ),
    ...refusals(400, 403, 404),
  },
})
