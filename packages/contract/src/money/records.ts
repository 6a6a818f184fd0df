import { z } from '@hono/zod-openapi'
import {
  billingStates,
  budgetLevels,
  budgetModes,
  budgetPeriods,
  ledgerKinds,
  maxMicros,
  spendGroups,
} from '@svc/facts'
import { callStatuses, PriceCard } from '@svc/models/records'
import { text, Timestamp } from '../kit/common.ts'

/** Money, everywhere: a whole number of millionths of a US dollar. */
export const Micros = z.int().openapi({ description: 'Micro-dollars: 1,000,000 are a US dollar' })
const Amount = Micros.min(0)

export const Cap = z
  .int()
  .min(0)
  .max(maxMicros)
  .openapi({ description: 'Micro-dollars: 5,000,000 are 5 US dollars; 0 closes' })

export const BudgetName = text(100).min(1).openapi({ description: 'For people, in refusals and alerts' })
export const BudgetMode = z
  .enum(budgetModes)
  .openapi({ description: '`block` refuses and bounds calls; `alert` only tells' })

const level = z
  .enum(budgetLevels)
  .openapi({ description: 'What it is of: each call, session, trigger, agent or key, or the whole place' })
const period = z
  .enum(budgetPeriods)
  .openapi({ description: 'In UTC, weeks from Monday; `call` for the level `call`, and for it alone' })

export const Budget = z
  .object({
    budget_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid().nullable().openapi({ description: 'null for one of the account' }),
    name: BudgetName,
    level,
    subject: z.string().nullable().openapi({
      description:
        'A session’s id, a slug, an agent’s name or a key’s `token_id`; null is each of them by itself',
    }),
    period,
    cap_micros: Cap,
    mode: BudgetMode,
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
    windows: z
      .array(
        z.object({
          subject: z.string(),
          window_start: Timestamp,
          resets_at: Timestamp.nullable(),
          spent_micros: Amount,
          held_micros: Amount.openapi({ description: 'Set aside for calls that run' }),
        }),
      )
      .openapi({
        description:
          'Those that have not ended, the fullest first, at most 100; one is there with its first call',
      }),
    alerts: z
      .array(
        z.object({
          subject: z.string(),
          window_start: Timestamp,
          threshold: z.int().openapi({ description: 'Percent of the cap' }),
          spent_micros: Amount,
          cap_micros: Cap,
          at: Timestamp,
        }),
      )
      .openapi({ description: 'Thresholds that were crossed in these windows: 50, 80, 90 and 100 percent' }),
  })
  .openapi('GatewayBudget')

/** The body that makes a budget; which levels a place takes, and what a subject is, its verb judges. */
export const CreateBudget = z.strictObject({
  name: BudgetName.optional(),
  level,
  subject: text(255).min(1).nullable().optional(),
  period: period.optional().openapi({ description: 'Needed but for the level `call`' }),
  cap_micros: Cap,
  mode: BudgetMode.default('block'),
})

export const UpdateBudget = z.strictObject({
  name: BudgetName.optional(),
  cap_micros: Cap.optional(),
  mode: BudgetMode.optional(),
})

const tokens = z.int().min(0)
const scope = z.enum(['operator', 'account', 'project'])

export const CallStatus = z.enum(callStatuses).openapi({
  description: 'admitted and streaming run; cut ended at its budget; lost: its process was heard of no more',
})

const call = {
  call_id: z.uuid(),
  at: Timestamp,
  account_id: z.uuid(),
  project_id: z.uuid(),
  session_id: z.uuid().nullable(),
  prompt_id: z.uuid().nullable().openapi({ description: 'The turn that ran; null between turns' }),
  trigger_slug: z.string().nullable(),
  agent_name: z.string().nullable(),
  token_id: z.uuid(),
  dialect: z.string(),
  model_asked: z.string().nullable().openapi({ description: 'As the client wrote it' }),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  provider_scope: scope
    .nullable()
    .openapi({ description: 'Where the provider is set; the service bills the operator’s' }),
  status: CallStatus,
  http_status: z.int().nullable(),
  code: z.string().nullable().openapi({ description: 'Of a refusal or a failure' }),
  streamed: z.boolean(),
  finish: z.string().nullable(),
  attempts: z
    .array(
      z.object({
        model: z.string(),
        provider: z.string(),
        provider_scope: scope,
        key_id: z.string().nullish(),
        http_status: z.int().nullish(),
        code: z.string().nullish(),
        skipped: z.string().nullish().openapi({ description: 'Why it was not tried' }),
        duration_ms: z.int().nullish(),
      }),
    )
    .openapi({ description: 'Each try at a provider, in order, with what it answered' }),
  input_tokens: tokens.openapi({
    description: 'The whole input, with what was read from or written to a cache',
  }),
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  cache_write_1h_tokens: tokens,
  reasoning_tokens: tokens,
  estimated: z.boolean().openapi({ description: 'Counted here, since the provider told no usage' }),
  cost_micros: Amount.nullable().openapi({
    description: 'null for a model without a price, and while it runs',
  }),
  billed_micros: Amount.openapi({ description: 'Taken from the account’s credit' }),
  markup_percent: z.int().min(0),
  hold_micros: Amount.openapi({ description: 'Set aside for it when it began' }),
  overrun_micros: Amount.openapi({ description: 'Its cost above that, which no budget was charged' }),
  price_id: z.string().nullable(),
  budget_id: z.uuid().nullable().openapi({ description: 'The budget that refused it' }),
  first_byte_ms: z.int().nullable(),
  duration_ms: z.int().nullable(),
  request_id: z.string().nullable(),
  upstream_request_id: z.string().nullable(),
  expires_at: Timestamp.nullable().openapi({
    description: 'While it runs: when it is lost unless it is heard of',
  }),
}

export const GatewayCall = z.object(call).openapi('GatewayCall')

export const GatewayCallWithPrice = z
  .object({
    ...call,
    price: z
      .object({
        price_id: z.string(),
        source: z.enum(['project', 'account', 'operator', 'library']).nullable().openapi({
          description: 'Where the price is set; null where it was changed since',
        }),
        card: z.object(PriceCard.shape).openapi({
          description: 'The card that gives its cost, for ever: micro-dollars for a million tokens',
        }),
      })
      .nullable(),
    bodies: z
      .object({
        request: z.string(),
        answer: z.string().openapi({ description: 'As it came; the events of a stream' }),
        truncated: z.boolean().openapi({ description: 'One of them was longer than a megabyte' }),
      })
      .nullable()
      .openapi({
        description:
          'Where `log_bodies` was on, for `body_days`; secrets of the project are hidden. Reading them is an audit event',
      }),
  })
  .openapi('GatewayCallWithPrice')

export const accountSpendGroups = [...spendGroups, 'project'] as const
export const platformSpendGroups = [...accountSpendGroups, 'account'] as const

const sums = {
  calls: z.int().min(0),
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  unpriced_calls: z.int().min(0).openapi({ description: 'Calls whose cost nothing says' }),
  cost_micros: Amount,
  billed_micros: Amount,
}

const group = z.string().nullable().optional()

export const Spend = z
  .object({
    since: z.iso.date().openapi({ description: 'The first day, in UTC' }),
    until: z.iso.date().openapi({ description: 'The last day' }),
    rows: z.array(
      z.object({
        day: z.iso.date().optional(),
        model: group,
        provider: group,
        agent: group,
        session: group,
        trigger: group,
        key: group,
        project: group,
        account: group,
        ...sums,
      }),
    ),
    total: z.object(sums),
  })
  .openapi('GatewaySpend')

export const billing_state = z.enum([...billingStates, 'none']).openapi({
  description: '`none` without credit; `exhausted`: nothing is left; `past_due`, `canceled`: nothing is paid',
})
export const balance = Micros.nullable().openapi({
  description: 'Micro-dollars of credit; null without credit',
})

export const LedgerEntry = z
  .object({
    entry_id: z.uuid(),
    account_id: z.uuid(),
    at: Timestamp,
    kind: z.enum(ledgerKinds),
    amount_micros: Micros.openapi({ description: 'Below zero where it is taken' }),
    balance_after_micros: Micros,
    call_id: z.uuid().nullable(),
    project_id: z.uuid().nullable().openapi({ description: 'Usage is one entry a project and hour' }),
    reason: z.string().nullable(),
    idempotency_key: z.string().nullable(),
  })
  .openapi('CreditLedgerEntry')
