import type { Selectable } from 'kysely'

/** The OpenID provider that an account runs for the people of its domains. */
export interface AccountSsoTable {
  account_id: string
  issuer: string
  client_id: string
  sealed_data_key: string
  sealed_client_secret: string
  /** People of the account's domains sign in this way alone. */
  enforced: boolean
  /** The role of a person who joins the account by it. */
  default_role: 'admin' | 'member'
  created_at: Date
  updated_at: Date
}

export type AccountSsoRow = Selectable<AccountSsoTable>
