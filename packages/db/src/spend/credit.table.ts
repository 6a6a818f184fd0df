import type { Generated, GeneratedAlways } from 'kysely'

/** Whether an account's credit pays. exhausted: nothing is left. past_due and canceled: its payment says so. */
export const billingStates = ['active', 'exhausted', 'past_due', 'canceled'] as const
export type BillingState = (typeof billingStates)[number]

export const ledgerKinds = ['grant', 'purchase', 'usage', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

export interface CreditAccountTable {
  account_id: string
  /** The sum of its ledger. */
  balance_micros: Generated<number>
  held_micros: Generated<number>
  billing_state: BillingState
  /** The month whose credit was granted last. */
  granted_month: string | null
  created_at: Date
  updated_at: Date
}

/** Only added to; but usage is one entry a project and hour, which calls raise. */
export interface CreditLedgerTable {
  entry_id: string
  account_id: string
  position: GeneratedAlways<number>
  at: Date
  kind: LedgerKind
  amount_micros: number
  balance_after_micros: number
  call_id: string | null
  project_id: string | null
  reason: string | null
  idempotency_key: string | null
}
