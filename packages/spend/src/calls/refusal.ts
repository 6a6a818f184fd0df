import type { BudgetExceeded, Refused } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { usd } from '@svc/facts'

type Refusal<Code extends Refused['code']> = Extract<Refused, { readonly code: Code }>

/** The refusal of a call that was not admitted. */
export function refusalOf(
  refused: Refused,
  { project_id, model }: { readonly project_id: string; readonly model: string },
  now: Date,
): ServiceError {
  switch (refused.code) {
    case 'budget_exceeded':
      return budgetExceeded(refused, project_id, now)
    case 'cost_not_bounded':
      return new ServiceError(
        'cost_not_bounded',
        `Nothing bounds what ${refused.field} costs, and a budget pays for this call; leave it out, or ask a manager of the project to lift the budget`,
        { field: refused.field },
      )
    case 'model_unpriced':
      return new ServiceError(
        'model_unpriced',
        `${model} has no price, and a budget pays for this call; price it with: svc gateway prices set ${model} --input <usd> --output <usd> (PUT /v1/projects/${project_id}/gateway/prices)`,
        { model },
      )
    case 'rate_limit_exceeded':
      return rateLimited(refused, now)
    case 'subscription_required':
    case 'no_account':
    case 'insufficient_credits': {
      const { outcome: _, countable: __, code, ...details } = refused
      return new ServiceError(code, billingMessages[code], details)
    }
  }
}

/** Words of the three refusals of billing. */
export const billingMessages = {
  subscription_required:
    'The plan of this account does not include models of the platform; add a provider key of your own, or ask for another plan',
  no_account:
    'This account has no credit yet; ask the operator of the platform for credit, or add a provider key of your own',
  insufficient_credits:
    'The credit of this account does not pay for this call; add credit, or use a provider key of your own',
} as const

function budgetExceeded(refused: Refusal<'budget_exceeded'>, project_id: string, now: Date): ServiceError {
  const { outcome: _, countable: __, code, free_at, ...said } = refused
  const details = { ...said, project_id }
  const { name, level } = details.budget
  const left = `The budget ${JSON.stringify(name)} (${level}) has no room for this call: ${usd(details.spent_micros)} of ${usd(details.cap_micros)} spent, ${usd(details.held_micros)} held by running calls`
  if (free_at === null) return new ServiceError(code, `${left}; ${whatNext(details)}`, details)
  const retry_after = secondsUntil(free_at, now)
  const message = `${left}, which alone stand between; try again in ${retry_after} s`
  return new ServiceError(code, message, { ...details, retry_after })
}

function whatNext({ budget, resets_at }: BudgetExceeded): string {
  const raise =
    budget.level === 'account'
      ? 'ask an admin of the account to raise it'
      : 'ask a person with project.gateway.budget.set to raise it'
  return resets_at === null ? raise : `it begins anew at ${new Date(resets_at).toISOString()}, or ${raise}`
}

const limitWords = {
  requests_per_minute: ['request a minute', 'requests a minute'],
  tokens_per_minute: ['token a minute', 'tokens a minute'],
  concurrency: ['call at a time', 'calls at a time'],
} as const

function rateLimited({ limited, limit, free_at }: Refusal<'rate_limit_exceeded'>, now: Date): ServiceError {
  const reset = secondsUntil(free_at, now)
  return new ServiceError(
    'rate_limit_exceeded',
    `This gateway key may have ${limit} ${limitWords[limited][limit === 1 ? 0 : 1]}; try again in ${reset} s, or ask a manager of the project to raise it`,
    { limited, retry_after: reset, rate_limit: { limit, remaining: 0, reset } },
  )
}

function secondsUntil(at: string, now: Date): number {
  return Math.max(1, Math.ceil((new Date(at).getTime() - now.getTime()) / 1000))
}
