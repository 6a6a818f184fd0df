import type { CreditLedgerRow } from '@svc/db'

/** An entry as people see it: a key as its giver wrote it. */
export function presentEntry({ position: _, idempotency_key, ...entry }: CreditLedgerRow) {
  return { ...entry, idempotency_key: idempotency_key?.replace(/^operator:/, '') ?? null }
}
