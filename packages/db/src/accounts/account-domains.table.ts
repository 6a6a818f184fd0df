import type { Selectable } from 'kysely'

/** A mail domain that an account claims; proved when `verified_at` is set, which one account alone can have. */
export interface AccountDomainTable {
  account_id: string
  domain: string
  /** Text that the DNS record must hold. */
  challenge: string
  created_at: Date
  /** Time at which an unproved claim is forgotten; null once it is proved. */
  expires_at: Date | null
  verified_at: Date | null
}

export type AccountDomainRow = Selectable<AccountDomainTable>
