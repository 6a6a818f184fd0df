import type { BillingState, LedgerKind } from '@svc/facts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'

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

export type CreditAccountRow = Selectable<CreditAccountTable>

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

export type CreditLedgerRow = Selectable<CreditLedgerTable>
