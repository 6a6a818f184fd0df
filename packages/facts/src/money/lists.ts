/** Things that a budget may be of, in the order in which windows are locked; `call` has no window. */
export const budgetLevels = ['call', 'account', 'project', 'agent', 'trigger', 'session', 'key'] as const
export type BudgetLevel = (typeof budgetLevels)[number]

export const budgetPeriods = ['call', 'hour', 'day', 'week', 'month', 'total'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

export const budgetModes = ['block', 'alert'] as const
export type BudgetMode = (typeof budgetModes)[number]

/** The highest cap of a budget, and the largest credit of one entry: a million dollars, in micro-dollars. */
export const maxMicros = 1_000_000_000_000

/** Whether an account's credit pays. exhausted: nothing is left. past_due and canceled: its payment says so. */
export const billingStates = ['active', 'exhausted', 'past_due', 'canceled'] as const
export type BillingState = (typeof billingStates)[number]

export const ledgerKinds = ['grant', 'purchase', 'usage', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Use of the model gateway that a plan allows. */
export const planGateways = ['off', 'own_keys', 'managed'] as const
export type PlanGateway = (typeof planGateways)[number]

/** Payment of what the service bills: by nothing, or by the credit of the account. */
export const planBillings = ['none', 'credit'] as const
export type PlanBilling = (typeof planBillings)[number]

/** Things that spend may be summed up by. */
export const spendGroups = ['day', 'model', 'provider', 'agent', 'session', 'trigger', 'key'] as const
export type SpendGroup = (typeof spendGroups)[number]
